import type { Db } from '#db/connect.ts';

export interface HandOff {
  uid: string;
  /** The only host, port included, at which it may be exchanged. */
  host: string;
  /** Seconds: the sign-in it continues. */
  authTime: number | null;
}

/** Keeps the hash of a code for as long as it is good, in the database's own time. */
export async function insertHandOff(
  db: Db,
  codeHash: Buffer,
  { uid, host, authTime }: HandOff,
  seconds: number,
): Promise<void> {
  await db`
    insert into identity.handoffs (code_hash, uid, host, auth_time, expires_at)
    values (${codeHash}, ${uid}, ${host}, ${authTime}, now() + make_interval(secs => ${seconds}))`;
}

/** Uses a code up and answers what it was for: of many who try at once, one gets it. */
export async function takeHandOff(db: Db, codeHash: Buffer): Promise<HandOff | undefined> {
  const [taken] = await db<(HandOff & { isGood: boolean })[]>`
    delete from identity.handoffs where code_hash = ${codeHash}
    returning uid, host, auth_time as "authTime", expires_at > now() as "isGood"`;
  if (!taken?.isGood) return undefined;
  const { uid, host, authTime } = taken;
  return { uid, host, authTime };
}

export async function forgetOldHandOffs(db: Db): Promise<void> {
  await db`delete from identity.handoffs where expires_at < now()`;
}
