import type { Db } from '#db/connect.ts';
import { hashSecret, makeSecret } from '#identity/secret.ts';

export type SignInMethod = 'passkey' | 'password' | 'link' | 'openid';

export interface Session {
  hash: Buffer;
  operatorId: string;
  method: SignInMethod;
  /** True if passkey or code was given within five minutes. */
  isConfirmed: boolean;
}

/**
 * Begins a session and returns the token for its browser; the session that it replaces ends. The person proved their
 * identity at `provenAt`: now, unless another provider asked them.
 */
export async function beginSession(
  tx: Db,
  operatorId: string,
  method: SignInMethod,
  replaced?: Buffer,
  provenAt?: Date,
): Promise<string> {
  const token = makeSecret(32);
  await tx`delete from operator_sessions where expires_at < now() or token_hash = ${replaced ?? null}`;
  await tx`
    insert into operator_sessions (token_hash, operator_id, method, confirmed_at, expires_at)
    values (${hashSecret(token)}, ${operatorId}, ${method}, least(now(), ${provenAt ?? null}), now() + interval '12 hours')`;
  await tx`
    update operators set signed_in_at = now(), status = 'active' where id = ${operatorId} and status <> 'removed'`;
  return token;
}

/** Returns whether a session has not ended. */
export async function isSession(db: Db, hash: Buffer): Promise<boolean> {
  const found = await db`select 1 from operator_sessions where token_hash = ${hash} and expires_at > now()`;
  return found.length > 0;
}

/** Returns those of the sessions that have not ended, by hash in hexadecimal digits. */
export async function listSessions(db: Db, hashes: string[]): Promise<Set<string>> {
  const found = await db<{ hash: string }[]>`
    select encode(token_hash, 'hex') as hash from operator_sessions
    where token_hash in (select decode(wanted, 'hex') from unnest(${hashes}::text[]) as wanted) and expires_at > now()`;
  return new Set(found.map(({ hash }) => hash));
}

/** Finds the session of a token; those of removed people no longer count. */
export async function findSession(db: Db, token: string): Promise<Session | undefined> {
  const [session] = await db<Session[]>`
    select token_hash as hash, operator_id as "operatorId", method,
      method <> 'link' and confirmed_at > now() - interval '5 minutes' as "isConfirmed"
    from operator_sessions join operators on operators.id = operator_id and status = 'active'
    where token_hash = ${hashSecret(token)} and expires_at > now()`;
  return session;
}

export async function confirmSession(db: Db, hash: Buffer): Promise<void> {
  await db`update operator_sessions set confirmed_at = now() where token_hash = ${hash}`;
}

export async function endSession(db: Db, hash: Buffer): Promise<void> {
  await db`delete from operator_sessions where token_hash = ${hash}`;
}

/** Ends a person's sessions, except the one kept. */
export async function endSessionsOf(db: Db, operatorId: string, kept?: Buffer): Promise<void> {
  await db`
    delete from operator_sessions
    where operator_id = ${operatorId} and token_hash is distinct from ${kept ?? null}`;
}

export async function countSessions(db: Db, operatorId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from operator_sessions where operator_id = ${operatorId} and expires_at > now()`;
  return row?.count ?? 0;
}
