import { retryPlans } from '@sparechange/domain/retry-plan';
import type { Db } from '#db/connect.ts';
import { claim, type DueColumns, isFree, pauseAfterNext } from '#db/due-work.ts';

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

/** Columns by which requests are taken; one that was tried for the last time is deleted. */
const dueRequests = { key: ['id'], dueAt: 'due_at', tries: 'attempts' } satisfies DueColumns;

/**
 * Takes the request that is due the longest for some time, longer each time up to an hour. One that is not deleted by
 * then is due again: its server died or the email could not be delivered.
 */
export async function takeOobRequest(db: Db): Promise<DueRequest | undefined> {
  const [row] = await db<Nullable<DueRequest>[]>`
    with ${claim(db, dueRequests, {
      due: db`select id from identity.oob_requests where ${isFree(db, dueRequests, db`now()`)}`,
      limit: db`1`,
      mark: db`
        update identity.oob_requests work set attempts = attempts + 1,
          due_at = now() + ${pauseAfterNext(db, retryPlans.codeMail, db`attempts`)}`,
    })}
    select id, request_type as "requestType", email, uid, new_email as "newEmail", since, locale, origin,
      continue_url as "continueUrl", attempts,
      uuid_extract_timestamp(id)
        <= now() - make_interval(hours => (${db.json(lifeHours)}::jsonb ->> request_type)::int) as "isOutlived"
    from claimed`;
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
