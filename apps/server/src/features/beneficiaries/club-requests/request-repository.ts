import type { ClubRequestForm } from '@sparechange/contract';
import type { Db } from '#db/connect.ts';

/** A club that asks to join; waits for an operator once its contact has confirmed it. */
export interface ClubRequest {
  id: string;
  tenantKey: string;
  name: string;
  abn: string;
  contactName: string;
  email: string;
  suburb: string;
  purpose: string;
  askedAt: Date;
  confirmedAt: Date | null;
  decidedAt: Date | null;
  reason: string | null;
  clubId: string | null;
}

const columns = (db: Db) => db`
  id, tenant_key as "tenantKey", name, abn, contact_name as "contactName", contact_email as email, suburb, purpose,
  asked_at as "askedAt", confirmed_at as "confirmedAt", decided_at as "decidedAt", reason, club_id as "clubId"`;

/** Saves a request in place of an unconfirmed one; returns undefined if there is a confirmed one. */
export async function saveRequest(
  db: Db,
  { name, abn, contactName, email, suburb, purpose, tenantKey, at }: ClubRequestForm & { tenantKey: string; at: Date },
): Promise<string | undefined> {
  const [request] = await db<{ id: string }[]>`
    insert into club_requests (tenant_key, name, abn, contact_name, contact_email, suburb, purpose, asked_at)
    values (${tenantKey}, ${name}, ${abn}, ${contactName}, ${email}, ${suburb}, ${purpose}, ${at})
    on conflict (contact_email, abn) where decided_at is null do update set tenant_key = excluded.tenant_key,
      name = excluded.name, contact_name = excluded.contact_name, suburb = excluded.suburb, purpose = excluded.purpose,
      asked_at = excluded.asked_at
    where club_requests.confirmed_at is null
    returning id`;
  return request?.id;
}

/** Deletes requests that nobody confirmed within a week, and decided ones, with their contacts, after 90 days. */
export const deleteLapsed = (db: Db, at: Date) => db`
  delete from club_requests
  where (confirmed_at is null and asked_at < ${at}::timestamptz - interval '7 days')
    or decided_at < ${at}::timestamptz - interval '90 days'`;

export async function findRequest(db: Db, id: string): Promise<ClubRequest | undefined> {
  const [request] = await db<ClubRequest[]>`select ${columns(db)} from club_requests where id = ${id}`;
  return request;
}

/** Locks a request and returns it. */
export async function lockRequest(tx: Db, id: string): Promise<ClubRequest | undefined> {
  await tx`select from club_requests where id = ${id} for update`;
  return findRequest(tx, id);
}

/** Lists requests that wait for an operator, oldest first. */
export const listWaiting = (db: Db, { after, limit }: { after?: string | undefined; limit: number }) => db<
  ClubRequest[]
>`
  select ${columns(db)} from club_requests
  where confirmed_at is not null and decided_at is null
    and ${after ? db`(confirmed_at, id) > (select confirmed_at, id from club_requests where id::text = ${after})` : db`true`}
  order by confirmed_at, id limit ${limit}`;

export async function countWaiting(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from club_requests where confirmed_at is not null and decided_at is null`;
  return row?.count ?? 0;
}

export const recordConfirmation = (db: Db, id: string, at: Date) => db`
  update club_requests set confirmed_at = ${at} where id = ${id} and confirmed_at is null`;

/** Records an operator's decision: the new club, or the reason for refusing. */
export const recordDecision = (
  db: Db,
  { id, by, at, clubId, reason }: { id: string; by: string; at: Date; clubId?: string; reason?: string },
) => db`
  update club_requests set decided_at = ${at}, decided_by = ${by}, club_id = ${clubId ?? null}, reason = ${reason ?? null}
  where id = ${id}`;
