import type { Db } from '#db/connect.ts';
import { endSession } from './session-repository.ts';
import { endSessionsOf } from './user-repository.ts';

interface Presented {
  uid: string;
  sessionId?: string | undefined;
}

/** Sessions of the embedded service. A token from before sessions had ids ends them all. */
export const ownSessions = (db: Db) => ({
  end: ({ uid, sessionId }: Presented): Promise<void> =>
    sessionId === undefined ? endSessionsOf(db, uid) : endSession(db, uid, sessionId),
  endEvery: ({ uid }: Presented): Promise<void> => endSessionsOf(db, uid),
});
