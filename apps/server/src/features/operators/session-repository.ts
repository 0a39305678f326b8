import type { Db } from '#db/connect.ts';
import { hashSecret, makeSecret } from '#identity/secret.ts';

export type SignInMethod = 'passkey' | 'password' | 'link';

export interface Session {
  hash: Buffer;
  operatorId: string;
  method: SignInMethod;
  /** The passkey or code was given within the last five minutes. */
  isConfirmed: boolean;
}

/** Begins a session and returns the token that its browser keeps; the one that it replaces ends. */
export async function beginSession(
  tx: Db,
  operatorId: string,
  method: SignInMethod,
  replaced?: Buffer,
): Promise<string> {
  const token = makeSecret(32);
  await tx`delete from operator_sessions where expires_at < now() or token_hash = ${replaced ?? null}`;
  await tx`
    insert into operator_sessions (token_hash, operator_id, method, expires_at)
    values (${hashSecret(token)}, ${operatorId}, ${method}, now() + interval '12 hours')`;
  await tx`
    update operators set signed_in_at = now(), status = 'active' where id = ${operatorId} and status <> 'removed'`;
  return token;
}

/** Returns whether a session has not ended. */
export async function isSession(db: Db, hash: Buffer): Promise<boolean> {
  const found = await db`select 1 from operator_sessions where token_hash = ${hash} and expires_at > now()`;
  return found.length > 0;
}

/** Finds the session of a token; those of people who were removed count no more. */
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

export async function endSessionsOf(db: Db, operatorId: string): Promise<void> {
  await db`delete from operator_sessions where operator_id = ${operatorId}`;
}

export async function countSessions(db: Db, operatorId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from operator_sessions where operator_id = ${operatorId} and expires_at > now()`;
  return row?.count ?? 0;
}
