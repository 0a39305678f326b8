import type { FailedTries } from '@sparechange/domain/retry-plan';
import type { Db, Pool, Statement } from '#db/connect.ts';
import { claim, type DueColumns, isFree } from '#db/due-work.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';

/** Kinds of work, all of it through the bank link. */
export type WorkKind = 'sync' | 'consent_poll';

/** Columns by which work is claimed, tried again and parked. */
export const dueWork = {
  key: ['supporter_id', 'kind'],
  dueAt: 'next_try_at',
  claimedUntil: 'claimed_until',
  parkedAt: 'parked_at',
  tries: 'tries',
  failingSince: 'failing_since',
  failure: 'last_error',
} satisfies DueColumns;

/** Everybody whose work of one kind falls due at one moment. */
export interface Pass {
  kind: WorkKind;
  dueAt: Date;
  /** Selects them from `supporters`. */
  where: (db: Db) => Statement<readonly unknown[]>;
}

/** Work in a worker's hand. */
export interface Claim {
  supporterId: string;
  kind: WorkKind;
  dueAt: Date;
  claimedUntil: Date;
  tries: number;
  failingSince: Date | null;
}

export interface NextTryOfWork extends FailedTries {
  /** Null once parked: then the next pass tries it. */
  nextTryAt: Date | null;
  parkedAt: Date | null;
}

/** Work and its outcome: succeeded if there is no next try. */
export interface EndedWork {
  claim: Claim;
  next?: NextTryOfWork & { lastError: string | null };
}

/** A page of supporters: its end and its size. */
export interface Page {
  last: string | undefined;
  count: number;
}

/** Sorts before every supporter's id: where a pass begins. */
export const beforeEverybody = '00000000-0000-0000-0000-000000000000';

/** Duration of a claim: a worker finishes a batch sooner, and a killed worker's claims are free afterwards. */
const claimMs = 600_000;

const pageOf = (db: Db, { where }: Pass, after: string, limit: number) => db`
  page as materialized (
    select supporter_id from supporters where supporter_id > ${after} and ${where(db)} order by supporter_id limit ${limit}
  )`;

const claimColumns = (db: Db) => db`
  supporter_id as "supporterId", kind, due_at as "dueAt", claimed_until as "claimedUntil", tries, failing_since as "failingSince"`;

/** Marks a page of a pass as due; repeating it for the same moment changes nothing. */
export async function enqueuePage(
  db: Db,
  pass: Pass,
  now: Date,
  after: string,
  limit: number,
): Promise<Page & { enqueued: number }> {
  const { kind, dueAt } = pass;
  const [page] = await db<(Page & { enqueued: number })[]>`
    with ${pageOf(db, pass, after, limit)}, enqueued as (
      insert into supporter_work as work (supporter_id, kind, due_at, next_try_at)
      select supporter_id, ${kind}, ${dueAt}::timestamptz, greatest(${dueAt}::timestamptz, ${now}) from page order by supporter_id
      on conflict (supporter_id, kind) do update
      set due_at = excluded.due_at, next_try_at = coalesce(work.next_try_at, excluded.next_try_at)
      where work.due_at < excluded.due_at
      returning supporter_id
    )
    select supporter_id as last, (select count(*)::int from page) as count, (select count(*)::int from enqueued) as enqueued
    from page order by supporter_id desc limit 1`;
  return page ?? { last: undefined, count: 0, enqueued: 0 };
}

/** Claims a page of a pass immediately, except work in another worker's hand. */
export async function claimPage(
  db: Db,
  pass: Pass,
  now: Date,
  after: string,
  limit: number,
): Promise<Page & { claims: Claim[] }> {
  const { kind, dueAt } = pass;
  const until = new Date(now.getTime() + claimMs);
  const rows = await db<(Claim & { last: string })[]>`
    with ${pageOf(db, pass, after, limit)}, claimed as (
      insert into supporter_work as work (supporter_id, kind, due_at, next_try_at, claimed_until)
      select supporter_id, ${kind}, ${dueAt}::timestamptz, ${now}::timestamptz, ${until}::timestamptz from page order by supporter_id
      on conflict (supporter_id, kind) do update
      set due_at = greatest(work.due_at, excluded.due_at), next_try_at = excluded.next_try_at, claimed_until = excluded.claimed_until
      where coalesce(work.claimed_until <= ${now}, true)
      returning *
    )
    select page.supporter_id as last, claimed.* from page
    left join (select ${claimColumns(db)} from claimed) claimed on claimed."supporterId" = page.supporter_id
    order by page.supporter_id`;
  const claims = rows.filter(({ supporterId }) => supporterId !== null);
  return { last: rows.at(-1)?.last, count: rows.length, claims };
}

/** Claims unclaimed due work, longest due first; as a probe, the supporter who failed least often. */
export function claimDue(db: Db, now: Date, limit: number, isProbe = false): Promise<Claim[]> {
  const until = new Date(now.getTime() + claimMs);
  return db<Claim[]>`
    with ${claim(db, dueWork, {
      due: db`select supporter_id, kind from supporter_work where ${isFree(db, dueWork, now)}`,
      first: isProbe ? db`tries,` : db``,
      limit,
      mark: db`update supporter_work work set claimed_until = ${until}`,
    })}
    select ${claimColumns(db)} from claimed order by next_try_at, supporter_id, kind`;
}

/**
 * Records the outcomes of claimed work. Work that has fallen due again stays due; an expired claim counts for nothing.
 */
export async function recordEnds(db: Db, now: Date, ends: EndedWork[]): Promise<void> {
  if (ends.length === 0) return;
  const claims = ends.map(({ claim }) => claim);
  const times = (all: (Date | null | undefined)[]) => all.map((time) => time?.toISOString() ?? null);
  await db`
    with ended as (
      select * from unnest(${claims.map(({ supporterId }) => supporterId)}::uuid[], ${claims.map(({ kind }) => kind)}::text[],
        ${times(claims.map(({ dueAt }) => dueAt))}::timestamptz[], ${times(claims.map(({ claimedUntil }) => claimedUntil))}::timestamptz[],
        ${ends.map(({ next }) => next?.tries ?? null)}::int[], ${times(ends.map(({ next }) => next?.failingSince))}::timestamptz[],
        ${times(ends.map(({ next }) => next?.nextTryAt))}::timestamptz[], ${times(ends.map(({ next }) => next?.parkedAt))}::timestamptz[],
        ${ends.map(({ next }) => next?.lastError ?? null)}::text[])
        as ended (supporter_id, kind, due_at, claimed_until, tries, failing_since, next_try_at, parked_at, last_error)
    ), held as materialized (
      select work.supporter_id, work.kind, claimed_until from supporter_work work join ended using (supporter_id, kind, claimed_until)
      order by 1, 2 for no key update of work -- a pass that marks them as due locks them in this order too
    )
    update supporter_work work set claimed_until = null, tries = coalesce(ended.tries, 0), failing_since = ended.failing_since,
      parked_at = ended.parked_at, last_error = ended.last_error, done_at = case when ended.tries is null then ${now} else work.done_at end,
      next_try_at = coalesce(ended.next_try_at, case when work.due_at > ended.due_at then work.due_at end)
    from ended join held using (supporter_id, kind, claimed_until)
    where work.supporter_id = ended.supporter_id and work.kind = ended.kind`;
}

/**
 * Adds a millisecond to an instant, in UTC: added in the session's zone it is stable, which Citus refuses in an update.
 */
export const momentAfter = (db: Db, column: 'due_at' | 'work.due_at') => db`
  (${db(column)} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'`;

/**
 * Lets work fall due again, later than before even if this process's clock is behind: work in hand is then done again.
 */
const orAgain = (db: Db) => db`
  on conflict (supporter_id, kind) do update
  set due_at = greatest(excluded.due_at, ${momentAfter(db, 'work.due_at')}),
    next_try_at = least(work.next_try_at, excluded.next_try_at)`;

/** Marks work as due now; ignores unknown supporters. */
export async function markDue(db: Db, kind: WorkKind, supporterId: string, now: Date): Promise<void> {
  await db`
    insert into supporter_work as work (supporter_id, kind, due_at, next_try_at)
    select supporter_id, ${kind}, ${now}::timestamptz, ${now}::timestamptz from supporters where supporter_id = ${supporterId}
    ${orAgain(db)}`;
}

/** Returns unused claims; the work is due as before. */
export async function releaseClaims(db: Db, claims: Claim[]): Promise<void> {
  await db`
    with released as (
      select * from unnest(${claims.map(({ supporterId }) => supporterId)}::uuid[], ${claims.map(({ kind }) => kind)}::text[],
        ${claims.map(({ claimedUntil }) => claimedUntil.toISOString())}::timestamptz[]) as released (supporter_id, kind, claimed_until)
    ), held as materialized (
      select supporter_id, kind from supporter_work work join released using (supporter_id, kind, claimed_until)
      order by 1, 2 for no key update of work -- in the order of a pass that marks them as due
    )
    update supporter_work work set claimed_until = null from held
    where work.supporter_id = held.supporter_id and work.kind = held.kind`;
}

/** Work for a customer of the bank link. */
export interface CustomersWork {
  kind: WorkKind;
  customerId: string;
}

/** Marks work as due now; returns the customers here that belong to a supporter with an open account. */
export async function markDueOfCustomers(db: Db, works: CustomersWork[], now: Date): Promise<string[]> {
  const rows = await db<{ customerId: string }[]>`
    with known as materialized (
      select distinct supporter_id, kind, customer_id
      from unnest(${works.map(({ kind }) => kind)}::text[], ${works.map(({ customerId }) => customerId)}::text[]) as news (kind, customer_id)
      join supporters on bank_customer_id = customer_id and closed_on is null
    ), marked as (
      insert into supporter_work as work (supporter_id, kind, due_at, next_try_at)
      select supporter_id, kind, ${now}::timestamptz, ${now}::timestamptz from known order by supporter_id, kind
      ${orAgain(db)}
    )
    select distinct customer_id as "customerId" from known`;
  return rows.map(({ customerId }) => customerId);
}

/** Returns the number of unexpired claims. */
export async function countInHand(pool: Pool, now: Date): Promise<number> {
  const inHand = (db: Db) => db<{ count: number }[]>`
    select count(*)::int as count from supporter_work where next_try_at is not null and claimed_until > ${now}`;
  return sumsOf(await rowsOf(pool.inBuckets(), inHand)).count;
}

/** Returns true if no poll of consents has been tried since then, although the product has run that long. */
export async function hasUntriedPolls(
  db: Db,
  { now, dueBy, startedAt, withinMs }: { now: Date; dueBy: Date; startedAt: Date; withinMs: number },
): Promise<boolean> {
  const [waiting] = await db`
    select 1 from supporter_work
    where kind = 'consent_poll' and next_try_at <= ${now} and due_at <= ${dueBy}
      and (tries = 0 or next_try_at <= ${startedAt})
      and greatest(next_try_at, ${startedAt}) > ${new Date(now.getTime() - withinMs)} limit 1`;
  return waiting !== undefined;
}

/** Forgets the work of a supporter who has left. */
export async function deleteWork(db: Db, supporterId: string): Promise<void> {
  await db`delete from supporter_work where supporter_id = ${supporterId}`;
}

/**
 * Yields supporters page by page, by id: one whose work fails is met once, and does not deprive others of their turns.
 */
export async function* supporterPages<Row extends { supporterId: string }>(
  list: (after: string, limit: number) => Promise<Row[]>,
  pageSize = 200,
): AsyncIterable<Row[]> {
  for (let after = beforeEverybody; ; ) {
    const page = await list(after, pageSize);
    yield page;
    after = page.at(-1)?.supporterId ?? after;
    if (page.length < pageSize) return;
  }
}
