import type { Db } from '#db/connect.ts';

export interface ResetCode {
  uid: string;
  isExpired: boolean;
  /** The user's password was changed since, with another code or by themselves. */
  isVoid: boolean;
}

/** A code lives for one hour. */
export async function insertResetCode(db: Db, codeHash: Buffer, uid: string): Promise<void> {
  await db`
    insert into identity.reset_codes (code_hash, uid, created_at, expires_at)
    values (${codeHash}, ${uid}, clock_timestamp(), clock_timestamp() + interval '1 hour')`;
}

export async function findResetCode(db: Db, codeHash: Buffer): Promise<ResetCode | undefined> {
  const [code] = await db<ResetCode[]>`
    select codes.uid, codes.expires_at <= now() as "isExpired",
      users.password_updated_at >= codes.created_at as "isVoid"
    from identity.reset_codes as codes
    join identity.users on users.uid = codes.uid
    where codes.code_hash = ${codeHash}`;
  return code;
}

export interface SpentCode {
  uid: string;
  /** In the database's own words, to the microsecond. */
  createdAt: string;
}

/** Uses a code up: of many askers at the same moment one gets it. */
export async function spendResetCode(db: Db, codeHash: Buffer): Promise<SpentCode | undefined> {
  const [code] = await db<SpentCode[]>`
    delete from identity.reset_codes
    where code_hash = ${codeHash} and expires_at > now()
    returning uid, created_at::text as "createdAt"`;
  return code;
}

export async function expireResetCode(db: Db, codeHash: Buffer): Promise<'expired' | 'no such code'> {
  const rows = await db`
    update identity.reset_codes set expires_at = least(expires_at, now())
    where code_hash = ${codeHash}
    returning uid`;
  return rows.length === 1 ? 'expired' : 'no such code';
}
