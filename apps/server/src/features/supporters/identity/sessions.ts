import { type Identity, supporterIdOf, type VerifyIdToken } from '#caller.ts';
import type { Db } from '#db/connect.ts';

/** Ends sessions on the server, for any identity provider. */
export interface Sessions {
  end(caller: Identity): Promise<void>;
  endEvery(caller: Identity): Promise<void>;
}

/** Sign-ins that operators can disable; those that another service keeps are disabled in its own console. */
export interface SignIns {
  isDisabled(uid: string): Promise<boolean>;
  /** Ends every session of the user as well. */
  setDisabled(uid: string, isDisabled: boolean): Promise<void>;
}

/**
 * Ends sessions of an external provider. Its refresh tokens stay valid, but every ID token made from them carries the
 * time of the sign-in, and those of an ended sign-in are refused here.
 */
export function externalSessions(db: Db): Sessions {
  const recordEnded = async ({ uid, authTime }: Identity, endsAll: boolean): Promise<void> => {
    const signInSecond = endsAll ? Math.floor(Date.now() / 1000) : (authTime ?? 0);
    const supporterId = supporterIdOf(uid);
    await db.of(supporterId)`
      insert into ended_sign_ins (supporter_id, auth_time, and_earlier, ended_at)
      values (${supporterId}, ${signInSecond}, ${endsAll}, now())
      on conflict (supporter_id, auth_time, and_earlier) do nothing`;
  };
  return { end: (caller) => recordEnded(caller, false), endEvery: (caller) => recordEnded(caller, true) };
}

/** Rejects tokens of ended sign-ins and of closed accounts, even before the user is removed at the provider. */
export const rejectEndedSignIns =
  (db: Db, verify: VerifyIdToken): VerifyIdToken =>
  async (token, options) => {
    const identity = await verify(token, options);
    return identity && !(await hasEnded(db, identity)) ? identity : undefined;
  };

/** Returns whether the account is closed or sign-in has ended. */
async function hasEnded(db: Db, { uid, authTime }: Identity): Promise<boolean> {
  const supporterId = supporterIdOf(uid);
  const [found] = await db.of(supporterId)`
    select from supporters where supporter_id = ${supporterId} and closed_on is not null
    union all
    select from ended_sign_ins where supporter_id = ${supporterId}
      and (auth_time = ${authTime ?? 0} or (and_earlier and auth_time >= ${authTime ?? 0}))
    limit 1`;
  return found !== undefined;
}
