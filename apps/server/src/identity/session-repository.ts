import type { Db } from '#db/connect.ts';
import { hashSecret } from './secret.ts';

export type SignInProvider = 'password' | 'custom';

export interface Session {
  /** Hash of its refresh token, as ID tokens carry it. */
  id: string;
  uid: string;
  /** Seconds: its start; void if the user's validSince is later. */
  since: number;
  /** Seconds: the last proof of identity, unchanged by refreshes. */
  authTime: number;
  provider: SignInProvider;
}

/** The id of the session that a refresh token opens. */
export const sessionIdOf = (refreshToken: string): string => hashSecret(refreshToken).toString('base64url');

const hashOf = (sessionId: string): Buffer => Buffer.from(sessionId, 'base64url');

export async function insertSession(db: Db, session: Session): Promise<void> {
  const { id, uid, since, authTime, provider } = session;
  await db`
    insert into identity.sessions (token_hash, uid, since, auth_time, provider)
    values (${hashOf(id)}, ${uid}, ${since}, ${authTime}, ${provider})`;
}

export interface FoundSession extends Session {
  hasEnded: boolean;
}

export async function findSession(db: Db, id: string): Promise<FoundSession | undefined> {
  const [session] = await db<Omit<FoundSession, 'id'>[]>`
    select uid, since, auth_time as "authTime", provider, ended_at is not null as "hasEnded"
    from identity.sessions where token_hash = ${hashOf(id)}`;
  return session && { id, ...session };
}

/** Ends one session of a user's. Repeating it changes nothing. */
export async function endSession(db: Db, uid: string, id: string): Promise<void> {
  await db`
    update identity.sessions set ended_at = clock_timestamp()
    where token_hash = ${hashOf(id)} and uid = ${uid} and ended_at is null`;
}

/** Notes that a session is in use, at most once a day: one unused for long is forgotten (see tidy.ts). */
export async function touchSession(db: Db, id: string): Promise<void> {
  await db`
    update identity.sessions set used_at = now()
    where token_hash = ${hashOf(id)} and used_at < now() - interval '1 day'`;
}

/** Uses a token up: of several concurrent callers only one may continue. `expiresAt` is in seconds. */
export async function spendToken(db: Db, id: string, expiresAt: number): Promise<'spent' | 'spent before'> {
  const rows = await db`
    insert into identity.spent_tokens (id, expires_at) values (${id}, to_timestamp(${expiresAt}))
    on conflict (id) do nothing
    returning id`;
  return rows.length === 1 ? 'spent' : 'spent before';
}
