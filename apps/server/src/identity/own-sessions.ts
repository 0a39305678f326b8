import type { Db } from '#db/connect.ts';
import { endSession } from './session-repository.ts';
import { endSessionsOf } from './user-repository.ts';

interface Presented {
  uid: string;
  sessionId?: string | undefined;
}

/** The embedded service's sessions; tokens without session id end all. */
export const ownSessions = (db: Db) => ({
  end: ({ uid, sessionId }: Presented): Promise<void> =>
    sessionId === undefined ? endSessionsOf(db, uid) : endSession(db, uid, sessionId),
  endEvery: ({ uid }: Presented): Promise<void> => endSessionsOf(db, uid),
});
