import type { Cents } from '@sparechange/domain';
import type { Db, Pool, Statement } from '#db/connect.ts';
import { copyRows } from '#db/copy-rows.ts';
import type { ProviderPayment } from '#ports/direct-debit.ts';
import type { Pair } from './match-payment.ts';

/** Creates session-only tables for the provider's list and for ours: large lists do not stay in memory. */
export async function makeLists(session: Db): Promise<void> {
  await session.unsafe(`
    create temp table provider_payments (
      provider_ref text primary key, reference text not null, amount_cents bigint not null, state text not null,
      settled_on date, is_read_again boolean not null);
    create temp table our_payments (
      kind text not null, id uuid not null, reference text not null, provider_ref text, state text not null,
      amount_cents bigint not null, is_expected boolean not null)`);
}

/** Drops the lists and their pairs. */
export async function dropLists(session: Db): Promise<void> {
  await session`drop table if exists pg_temp.provider_payments, pg_temp.our_payments, pg_temp.payment_pairs`;
}

/** Adds payments; polls still read those that changed from an instant on. */
export async function addToProviderList(session: Db, payments: ProviderPayment[], readAgainFrom: Date): Promise<void> {
  await session`
    insert into provider_payments (provider_ref, reference, amount_cents, state, settled_on, is_read_again)
    select * from unnest(${payments.map((each) => each.providerRef)}::text[], ${payments.map((each) => each.reference)}::text[],
      ${payments.map((each) => each.amount)}::bigint[], ${payments.map((each) => each.state)}::text[],
      ${payments.map((each) => each.settledOn ?? null)}::date[], ${payments.map((each) => each.changedAt >= readAgainFrom)}::boolean[])
    on conflict do nothing`;
}

/** Stores each ended Sydney day's settlements, from the fullest list. */
export async function keepSettlements(session: Db, now: Date): Promise<void> {
  await session`
    insert into provider_settlements (settled_on, payments, cents, read_at)
    select settled_on, count(*), sum(amount_cents)::bigint, ${now} from provider_payments
    where settled_on < (${now}::timestamptz at time zone 'Australia/Sydney')::date group by settled_on
    on conflict (settled_on, batch) do update set payments = excluded.payments, cents = excluded.cents, read_at = excluded.read_at
    where excluded.payments > provider_settlements.payments`;
}

/** Days between which the provider lists payments, so that we miss none outside its list. */
export interface Window {
  from: Date;
  until: Date;
}

/** Longest time between planning and submission; payments wait for a slow provider much less than this. */
const maxDaysPlanned = 60;
const msPerDay = 86_400_000;
const pageSize = 5_000;

/** Selects payments of one kind with the columns that determine which of them are listed. */
const ofKind = (db: Db, kind: Exclude<ListedPair['kind'], 'payment'>, { from, until }: Window) => db`
  select ${kind}::text as kind, id, reference, provider_ref, case when parked_at is null then state::text else 'parked' end as state,
    amount_cents, planned_at, submitted_at, state = 'submitting' and parked_at is not null as is_parked,
    coalesce(submitted_at between ${from} and ${until} and coalesce(submitting_at, submitted_at) >= ${from}
      and planned_at >= ${longBefore(from)}, false) as was_sent`;

const longBefore = (from: Date) => new Date(from.getTime() - maxDaysPlanned * msPerDay);

/** Payments of supporters in a bucket, or those of clubs. */
interface Place {
  db: Db;
  payments: Statement<readonly unknown[]>;
}

const placesOf = (db: Pool, window: Window): Place[] => [
  ...db.inBuckets().map((bucket) => ({
    db: bucket,
    payments: bucket`
      ${ofKind(bucket, 'debit', window)} from debits union all ${ofKind(bucket, 'deposit', window)} from deposits
      union all ${ofKind(bucket, 'repayment', window)} from repayments`,
  })),
  { db, payments: db`${ofKind(db, 'remittance', window)} from remittances` },
];

/** Lists ours that a condition selects. */
const listOurs = (session: Db, { db, payments }: Place, condition: Statement<readonly unknown[]>) =>
  copyRows(
    db,
    db`
      select kind, id, reference, provider_ref, state, amount_cents, was_sent or is_parked as is_expected
      from (${payments}) as ours where ${condition}`,
    session,
    'our_payments',
  );

/**
 * Lists our payments that the provider may list: those without its reference, those sent in its list's days, and any
 * others that it lists, looked up by its reference.
 */
export async function listOurPayments(session: Db, db: Pool, window: Window): Promise<void> {
  const { from } = window;
  const listedFrom = new Date(from.getTime() - msPerDay);
  for (const place of placesOf(db, window))
    await listOurs(
      session,
      place,
      place.db`is_parked
        or (planned_at >= ${longBefore(from)} and (provider_ref is null or submitted_at >= ${listedFrom}))`,
    );
  await session.unsafe('analyze pg_temp.provider_payments; analyze pg_temp.our_payments');
  const besides = session<{ ref: string }[]>`
    select provider_ref as ref from provider_payments theirs where not exists (
        select from our_payments ours where ours.provider_ref = theirs.provider_ref)
      and not exists (
        select from our_payments ours where ours.provider_ref is null and ours.reference = theirs.reference)`;
  for await (const page of besides.cursor(pageSize))
    for (const place of placesOf(db, window))
      await listOurs(session, place, place.db`provider_ref = any(${page.map(({ ref }) => ref)}::text[])`);
}

/**
 * Pairs each payment of ours with the provider's, by its reference if we know it, else by the reference we gave. The
 * provider's unmatched ones remain.
 */
export async function pairPayments(session: Db): Promise<void> {
  await session`
    create temp table payment_pairs as
    with met as materialized (
      select ours.*, theirs.provider_ref as their_ref, theirs.state as their_state, theirs.amount_cents as their_cents, is_read_again
      from our_payments ours join provider_payments theirs on theirs.provider_ref = ours.provider_ref
      union all
      select ours.*, theirs.provider_ref, theirs.state, theirs.amount_cents, is_read_again
      from our_payments ours join provider_payments theirs on ours.provider_ref is null and theirs.reference = ours.reference
    )
    select kind, id, reference, state, amount_cents, their_ref, their_state, their_cents, is_read_again from met
    union all
    select kind, id, reference, state, amount_cents, null, null, null, true from our_payments ours
    where is_expected and not exists (select from met where met.kind = ours.kind and met.id = ours.id)
    union all
    select 'payment', null, reference, null, null, provider_ref, state, amount_cents, is_read_again from provider_payments theirs
    where not exists (select from met where met.their_ref = theirs.provider_ref)`;
}

/** Counts the pairs of each kind. */
export function countPairs(session: Db): Promise<(Pair & { count: number })[]> {
  return session<(Pair & { count: number })[]>`
    select state as ours, their_state as theirs, amount_cents is not distinct from their_cents as "isSameAmount",
      is_read_again as "isReadAgain", count(*) as count
    from payment_pairs group by 1, 2, 3, 4`;
}

export interface ListedPair extends Pair {
  kind: 'debit' | 'deposit' | 'remittance' | 'repayment' | 'payment';
  id: string | null;
  reference: string;
  cents: Cents | null;
  theirRef: string | null;
  theirCents: Cents | null;
}

/** Lists some kinds of pairs, at most `limit`, for operators. */
export function listPairs(session: Db, like: Pair[], limit: number): Promise<ListedPair[]> {
  return session<ListedPair[]>`
    select kind, id, reference, state as ours, amount_cents as cents, their_ref as "theirRef", their_state as theirs,
      their_cents as "theirCents", amount_cents is not distinct from their_cents as "isSameAmount", is_read_again as "isReadAgain"
    from payment_pairs join unnest(${like.map(({ ours }) => ours ?? '')}::text[], ${like.map(({ theirs }) => theirs ?? '')}::text[],
      ${like.map(({ isSameAmount }) => String(isSameAmount))}::text[], ${like.map(({ isReadAgain }) => isReadAgain)}::boolean[])
        as wanted (ours, theirs, same, read_again)
      on coalesce(state, '') = wanted.ours and coalesce(their_state, '') = wanted.theirs
      and (amount_cents is not distinct from their_cents)::text = wanted.same and is_read_again = wanted.read_again
    order by kind, reference limit ${limit}`;
}
