import type { Db } from '#db/connect.ts';

export interface HandOff {
  uid: string;
  /** The only host and port where it may be exchanged. */
  host: string;
  /** In seconds: the sign-in it continues. */
  authTime: number | null;
  /** In seconds: when the requesting session's token was issued. */
  since: number;
  sessionId: string | null;
}

/** Stores the hash of a code while it is valid, by the database's own clock. */
export async function insertHandOff(db: Db, codeHash: Buffer, handOff: HandOff, seconds: number): Promise<void> {
  const { uid, host, authTime, since, sessionId } = handOff;
  const sessionHash = sessionId === null ? null : Buffer.from(sessionId, 'base64url');
  await db`
    insert into identity.handoffs (code_hash, uid, host, auth_time, since, session_hash, expires_at)
    values (${codeHash}, ${uid}, ${host}, ${authTime}, ${since}, ${sessionHash}, now() + make_interval(secs => ${seconds}))`;
}

/** Binds a code of the user's to the browser that will redeem it. Only the first challenge counts. */
export async function bindHandOff(
  db: Db,
  codeHash: Buffer,
  uid: string,
  challenge: Buffer,
): Promise<'bound' | 'no such code'> {
  const rows = await db`
    update identity.handoffs set challenge = ${challenge}
    where code_hash = ${codeHash} and uid = ${uid} and challenge is null and expires_at > now()
    returning uid`;
  return rows.length === 1 ? 'bound' : 'no such code';
}

/** Redeems a code and returns its target: of many concurrent attempts, one succeeds. */
export async function takeHandOff(
  db: Db,
  codeHash: Buffer,
): Promise<(HandOff & { challenge: Buffer | null }) | undefined> {
  const [taken] = await db<(HandOff & { challenge: Buffer | null; sessionHash: Buffer | null; isGood: boolean })[]>`
    delete from identity.handoffs where code_hash = ${codeHash}
    returning uid, host, auth_time as "authTime", since, challenge, session_hash as "sessionHash",
      expires_at > now() as "isGood"`;
  if (!taken?.isGood) return undefined;
  const { uid, host, authTime, since, challenge, sessionHash } = taken;
  return { uid, host, authTime, since, challenge, sessionId: sessionHash?.toString('base64url') ?? null };
}

export async function forgetOldHandOffs(db: Db): Promise<void> {
  await db`delete from identity.handoffs where expires_at < now()`;
}
