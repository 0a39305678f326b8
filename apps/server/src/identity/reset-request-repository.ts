import type { Db } from '#db/connect.ts';

/** A password reset that somebody asked for; the address may be nobody's. */
export interface ResetRequest {
  email: string;
  locale: string | undefined;
  origin: string | undefined;
  continueUrl: string | undefined;
}

export interface DueRequest extends ResetRequest {
  id: string;
  attempts: number;
}

export async function insertResetRequest(db: Db, request: ResetRequest): Promise<void> {
  const { email, locale = null, origin = null, continueUrl = null } = request;
  await db`
    insert into identity.reset_requests (email, locale, origin, continue_url)
    values (${email}, ${locale}, ${origin}, ${continueUrl})`;
}

/**
 * Takes the request that is due the longest for some time, longer each time. One that is not deleted by then is due
 * again: its server died or the mail could not be handed on.
 */
export async function takeResetRequest(db: Db): Promise<DueRequest | undefined> {
  const [row] = await db<Nullable<DueRequest>[]>`
    update identity.reset_requests
    set attempts = attempts + 1, due_at = now() + interval '30 seconds' * power(2, attempts)
    where id = (
      select id from identity.reset_requests where due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning id, email, locale, origin, continue_url as "continueUrl", attempts`;
  if (!row) return undefined;
  const { id, email, attempts } = row;
  return {
    id,
    email,
    attempts,
    locale: row.locale ?? undefined,
    origin: row.origin ?? undefined,
    continueUrl: row.continueUrl ?? undefined,
  };
}

type Nullable<Row> = {
  [Name in keyof Row]: undefined extends Row[Name] ? Exclude<Row[Name], undefined> | null : Row[Name];
};

export async function deleteResetRequest(db: Db, id: string): Promise<void> {
  await db`delete from identity.reset_requests where id = ${id}`;
}
