import type { Db } from '#db/connect.ts';
import { findUserStatus } from './user-repository.ts';

/** A session as its ID token described it. `since` is the second in which that token was issued. */
export interface PresentedSession {
  uid: string;
  since: number;
  sessionId?: string | undefined;
}

/** Returns false once the session, every session of its user, or the user has been ended. */
export async function isSignedInStill(db: Db, { uid, since, sessionId }: PresentedSession): Promise<boolean> {
  const standing = await findUserStatus(db, uid, sessionId);
  return standing !== undefined && !standing.disabled && since >= standing.validSince && standing.isSessionOpen;
}
