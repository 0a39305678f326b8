import type { Db } from '#db/connect.ts';
import type { OobRequestType } from './oob-code-repository.ts';

/** An out-of-band code that is to be made and mailed. */
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
}

export async function insertOobRequest(db: Db, request: OobRequest): Promise<void> {
  const { requestType, email, uid = null, newEmail = null, since = null } = request;
  const { locale = null, origin = null, continueUrl = null } = request;
  await db`
    insert into identity.oob_requests (request_type, email, uid, new_email, since, locale, origin, continue_url)
    values (${requestType}, ${email}, ${uid}, ${newEmail}, ${since}, ${locale}, ${origin}, ${continueUrl})`;
}

/**
 * Takes the request that is due the longest for some time, longer each time. One that is not deleted by then is due
 * again: its server died or the mail could not be handed on.
 */
export async function takeOobRequest(db: Db): Promise<DueRequest | undefined> {
  const [row] = await db<Nullable<DueRequest>[]>`
    update identity.oob_requests
    set attempts = attempts + 1, due_at = now() + interval '30 seconds' * power(2, attempts)
    where id = (
      select id from identity.oob_requests where due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning id, request_type as "requestType", email, uid, new_email as "newEmail", since, locale, origin,
      continue_url as "continueUrl", attempts`;
  if (!row) return undefined;
  return {
    id: row.id,
    attempts: row.attempts,
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
