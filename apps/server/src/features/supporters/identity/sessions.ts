import { type Identity, supporterIdOf, type VerifyIdToken } from '#caller.ts';
import type { Db } from '#db/connect.ts';

/** Ends sessions at the server, for any identity provider. */
export interface Sessions {
  end(caller: Identity): Promise<void>;
  endEvery(caller: Identity): Promise<void>;
}

/** Sign-ins that operators disable; those of a Firebase project are disabled in its own console. */
export interface SignIns {
  isDisabled(uid: string): Promise<boolean>;
  /** Ends every session. */
  setDisabled(uid: string, isDisabled: boolean): Promise<void>;
}

/**
 * Handles sessions of an external provider: its refresh tokens remain valid, but every token made from them carries the
 * second of the sign-in, and those of an ended one are refused here.
 */
export function foreignSessions(db: Db): Sessions {
  const recordEnded = async ({ uid, authTime }: Identity, isEvery: boolean): Promise<void> => {
    const second = isEvery ? Math.floor(Date.now() / 1000) : (authTime ?? 0);
    const supporterId = supporterIdOf(uid);
    await db.of(supporterId)`
      insert into ended_sign_ins (supporter_id, auth_time, and_earlier, ended_at)
      values (${supporterId}, ${second}, ${isEvery}, now())
      on conflict (supporter_id, auth_time, and_earlier) do nothing`;
  };
  return { end: (caller) => recordEnded(caller, false), endEvery: (caller) => recordEnded(caller, true) };
}

/** Rejects tokens of closed accounts and ended sign-ins, even while their user is still to be removed. */
export const unlessShutOut =
  (db: Db, verify: VerifyIdToken): VerifyIdToken =>
  async (token, options) => {
    const identity = await verify(token, options);
    return identity && !(await isShutOut(db, identity)) ? identity : undefined;
  };

/** Returns true for a closed account or an ended sign-in. */
async function isShutOut(db: Db, { uid, authTime }: Identity): Promise<boolean> {
  const supporterId = supporterIdOf(uid);
  const [found] = await db.of(supporterId)`
    select from supporters where supporter_id = ${supporterId} and closed_on is not null
    union all
    select from ended_sign_ins where supporter_id = ${supporterId}
      and (auth_time = ${authTime ?? 0} or (and_earlier and auth_time >= ${authTime ?? 0}))
    limit 1`;
  return found !== undefined;
}
