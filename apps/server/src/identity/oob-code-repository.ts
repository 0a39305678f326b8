import { pausesOf, retryPlans } from '@sparechange/domain/retry-plan';
import type { Db } from '#db/connect.ts';

/** Purposes of out-of-band codes, capitalised in the Identity Toolkit. */
export type OobRequestType = 'password_reset' | 'verify_email' | 'verify_and_change_email' | 'recover_email';

/** An out-of-band code before it is made. */
export interface NewOobCode {
  uid: string;
  requestType: OobRequestType;
  /** The user's address when the code was asked for. */
  email: string;
  /** The address changed to, or recovered from. */
  newEmail?: string | undefined;
  /** Seconds; a change is void once earlier sessions have ended. */
  since?: number | undefined;
}

export interface OobCode {
  uid: string;
  requestType: OobRequestType;
  email: string;
  newEmail: string | null;
  isExpired: boolean;
  /**
   * True once it can no longer be used: the password or the address has changed since, or the asking session has ended.
   */
  isVoid: boolean;
}

/** Hours that the codes of a purpose live. */
export const lifeHours: Record<OobRequestType, number> = {
  password_reset: 1,
  verify_email: 3 * 24,
  verify_and_change_email: 24,
  recover_email: 7 * 24,
};

export async function insertOobCode(db: Db, codeHash: Buffer, code: NewOobCode): Promise<void> {
  const { uid, requestType, email, newEmail = null, since = null } = code;
  await db`
    insert into identity.oob_codes (code_hash, uid, request_type, email, new_email, since, created_at, expires_at)
    values (${codeHash}, ${uid}, ${requestType}, ${email}, ${newEmail}, ${since}, clock_timestamp(),
      clock_timestamp() + make_interval(hours => ${lifeHours[requestType]}))`;
}

export async function findOobCode(db: Db, codeHash: Buffer): Promise<OobCode | undefined> {
  const [code] = await db<OobCode[]>`
    select codes.uid, request_type as "requestType", codes.email, new_email as "newEmail",
      expires_at <= now() as "isExpired",
      case request_type
        when 'password_reset' then users.email <> codes.email or users.password_updated_at >= codes.created_at
        when 'verify_and_change_email' then users.email <> codes.email or users.valid_since > codes.since
        when 'verify_email' then users.email <> codes.email
        else users.email = codes.email
      end as "isVoid"
    from identity.oob_codes as codes
    join identity.users on users.uid = codes.uid
    where code_hash = ${codeHash}`;
  return code;
}

export interface SpentCode {
  uid: string;
  requestType: OobRequestType;
  email: string;
  newEmail: string | null;
  since: number | null;
  /** In the database's own words, to the microsecond. */
  createdAt: string;
}

/** Uses up a code; only one of concurrent callers succeeds. */
export async function spendOobCode(db: Db, codeHash: Buffer): Promise<SpentCode | undefined> {
  const [code] = await db<SpentCode[]>`
    delete from identity.oob_codes
    where code_hash = ${codeHash} and expires_at > now()
    returning uid, request_type as "requestType", email, new_email as "newEmail", since, created_at::text as "createdAt"`;
  return code;
}

export async function expireOobCode(db: Db, codeHash: Buffer): Promise<'expired' | 'no such code'> {
  const rows = await db`
    update identity.oob_codes set expires_at = least(expires_at, now())
    where code_hash = ${codeHash}
    returning uid`;
  return rows.length === 1 ? 'expired' : 'no such code';
}

/** Deletes every code of a user, emailed or not. */
export async function deleteOobCodes(db: Db, uid: string): Promise<void> {
  await db`delete from identity.oob_codes where uid = ${uid}`;
}

/** An out-of-band code that is to be made and emailed. */
export interface OobRequest {
  requestType: OobRequestType;
  /** The user's address; for a password reset possibly unknown. */
  email: string;
  /** Absent for a password reset. */
  uid?: string | undefined;
  newEmail?: string | undefined;
  /** Seconds: the session that asks for a change. */
  since?: number | undefined;
  locale?: string | undefined;
  origin?: string | undefined;
  continueUrl?: string | undefined;
}

export interface DueRequest extends OobRequest {
  id: string;
  attempts: number;
  /** True where a code made at the time of the request would have ended by now. */
  isOutlived: boolean;
}

export async function insertOobRequest(db: Db, request: OobRequest): Promise<void> {
  const { requestType, email, uid = null, newEmail = null, since = null } = request;
  const { locale = null, origin = null, continueUrl = null } = request;
  await db`
    insert into identity.oob_requests (request_type, email, uid, new_email, since, locale, origin, continue_url)
    values (${requestType}, ${email}, ${uid}, ${newEmail}, ${since}, ${locale}, ${origin}, ${continueUrl})`;
}

/**
 * Takes the request that is due the longest for some time, longer each time up to an hour. One that is not deleted by
 * then is due again: its server died or the email could not be delivered.
 */
export async function takeOobRequest(db: Db): Promise<DueRequest | undefined> {
  const pauses = pausesOf(retryPlans.codeMail);
  const [row] = await db<Nullable<DueRequest>[]>`
    update identity.oob_requests
    set attempts = attempts + 1,
      due_at = now() + (${pauses}::int[])[least(attempts + 1, ${pauses.length}::int)] * interval '1 millisecond'
    where id = (
      select id from identity.oob_requests where due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning id, request_type as "requestType", email, uid, new_email as "newEmail", since, locale, origin,
      continue_url as "continueUrl", attempts,
      uuid_extract_timestamp(id)
        <= now() - make_interval(hours => (${db.json(lifeHours)}::jsonb ->> request_type)::int) as "isOutlived"`;
  if (!row) return undefined;
  return {
    id: row.id,
    attempts: row.attempts,
    isOutlived: row.isOutlived,
    requestType: row.requestType,
    email: row.email,
    uid: row.uid ?? undefined,
    newEmail: row.newEmail ?? undefined,
    since: row.since ?? undefined,
    locale: row.locale ?? undefined,
    origin: row.origin ?? undefined,
    continueUrl: row.continueUrl ?? undefined,
  };
}

type Nullable<Row> = {
  [Name in keyof Row]: undefined extends Row[Name] ? Exclude<Row[Name], undefined> | null : Row[Name];
};

export async function deleteOobRequest(db: Db, id: string): Promise<void> {
  await db`delete from identity.oob_requests where id = ${id}`;
}
