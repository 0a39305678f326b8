import type { Db } from '#db/connect.ts';

export type SignInProvider = 'password' | 'custom';

export interface Session {
  uid: string;
  /** Seconds: when it began. Void when the user's validSince is later. */
  since: number;
  /** Seconds: when the person last proved who they are; unchanged by refreshes. */
  authTime: number;
  provider: SignInProvider;
}

export async function insertSession(db: Db, tokenHash: Buffer, session: Session): Promise<void> {
  const { uid, since, authTime, provider } = session;
  await db`
    insert into identity.sessions (token_hash, uid, since, auth_time, provider)
    values (${tokenHash}, ${uid}, ${since}, ${authTime}, ${provider})`;
}

export async function findSession(db: Db, tokenHash: Buffer): Promise<Session | undefined> {
  const [session] = await db<Session[]>`
    select uid, since, auth_time as "authTime", provider from identity.sessions where token_hash = ${tokenHash}`;
  return session;
}

/** Notes that a session is in use, at most once a day: one unused for long is forgotten (see tidy.ts). */
export async function touchSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db`
    update identity.sessions set used_at = now()
    where token_hash = ${tokenHash} and used_at < now() - interval '1 day'`;
}
