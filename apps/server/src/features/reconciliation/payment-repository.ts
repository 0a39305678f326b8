import type { Cents } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import type { ProviderPayment } from '#ports/direct-debit.ts';
import type { Pair } from './match-payment.ts';

/** A table of this session alone for what the provider lists: however much it is, it does not pass through memory. */
export async function makeProviderList(session: Db): Promise<void> {
  await session`
    create temp table provider_payments (
      provider_ref text primary key, reference text not null, amount_cents bigint not null, state text not null,
      settled_on date)`;
}

export async function dropProviderList(session: Db): Promise<void> {
  await session`drop table if exists pg_temp.provider_payments`;
}

export async function addToProviderList(session: Db, payments: ProviderPayment[]): Promise<void> {
  await session`
    insert into provider_payments (provider_ref, reference, amount_cents, state, settled_on)
    select * from unnest(${payments.map((each) => each.providerRef)}::text[], ${payments.map((each) => each.reference)}::text[],
      ${payments.map((each) => each.amount)}::bigint[], ${payments.map((each) => each.state)}::text[],
      ${payments.map((each) => each.settledOn ?? null)}::date[])
    on conflict do nothing`;
}

/** Indexes and analyses the provider's list by our reference. */
export async function indexProviderList(session: Db): Promise<void> {
  await session`create index on pg_temp.provider_payments (reference)`;
  await session`analyze pg_temp.provider_payments`;
}

/** Keeps each ended Sydney day's settlements, from the fullest list. */
export async function keepSettlements(session: Db, now: Date): Promise<void> {
  await session`
    insert into provider_settlements (settled_on, payments, cents, read_at)
    select settled_on, count(*), sum(amount_cents)::bigint, ${now} from provider_payments
    where settled_on < (${now}::timestamptz at time zone 'Australia/Sydney')::date group by settled_on
    on conflict (settled_on, batch) do update set payments = excluded.payments, cents = excluded.cents, read_at = excluded.read_at
    where excluded.payments > provider_settlements.payments`;
}

/** The days between which the provider lists payments, so that we miss none that it would not list. */
export interface Window {
  from: Date;
  until: Date;
}

/** Payments wait for their submission, and for a provider that does not answer, for much less than this. */
const maxDaysPlanned = 60;

/** Makes a table of this session alone for ours beside the provider's. */
export async function makePairs(session: Db): Promise<void> {
  await session`
    create temp table payment_pairs (
      kind text not null, id uuid, reference text not null, state text, amount_cents bigint,
      their_ref text, their_state text, their_cents bigint)`;
}

export async function dropPairs(session: Db): Promise<void> {
  await session`drop table if exists pg_temp.payment_pairs`;
}

const columns = (db: Db, kind: 'debit' | 'deposit' | 'remittance' | 'repayment') => db`
  select ${kind}::text as kind, id, reference, provider_ref, amount_cents, state::text, submitting_at, submitted_at, planned_at, parked_at`;

const paymentsOfBucket = (db: Db) => db`
  ${columns(db, 'debit')} from debits union all ${columns(db, 'deposit')} from deposits
  union all ${columns(db, 'repayment')} from repayments`;

/**
 * Pairs each payment of ours with the provider's: supporters' in every bucket, and clubs'. Those of the provider that none
 * of ours met are left.
 */
export async function pairPayments(session: Db, window: Window): Promise<void> {
  await inEachBucket(session, (bucket) => pairOurs(bucket, window, paymentsOfBucket(bucket)));
  await pairOurs(session, window, session`${columns(session, 'remittance')} from remittances`);
  await session`analyze pg_temp.payment_pairs`;
  await session`
    insert into payment_pairs (kind, reference, their_ref, their_state, their_cents)
    select 'payment', reference, provider_ref, state, amount_cents from provider_payments theirs
    where not exists (select from payment_pairs pair where pair.their_ref = theirs.provider_ref)`;
}

/**
 * By the provider's reference where we know it, else by the reference we gave. Payments that were planned long before
 * the window are looked for by the provider's reference only, which an index finds.
 */
async function pairOurs(session: Db, { from, until }: Window, ours: Statement<readonly unknown[]>): Promise<void> {
  await session`
    with ours as not materialized (${ours}), met as materialized (
      select ours.*, theirs.provider_ref as their_ref, theirs.amount_cents as their_cents, theirs.state as their_state
      from provider_payments theirs join ours on theirs.provider_ref = ours.provider_ref
      union all
      select ours.*, theirs.provider_ref, theirs.amount_cents, theirs.state
      from ours join provider_payments theirs on ours.provider_ref is null and theirs.reference = ours.reference
      where ours.planned_at >= ${from}::timestamptz - ${maxDaysPlanned}::integer * interval '1 day'
    )
    insert into payment_pairs
    select kind, id, reference, case when parked_at is null then state else 'parked' end, amount_cents, their_ref,
      their_state, their_cents
    from met
    union all
    select kind, id, reference, state, amount_cents, null, null, null from ours
    where submitted_at between ${from} and ${until} and coalesce(submitting_at, submitted_at) >= ${from}
      and planned_at >= ${from}::timestamptz - ${maxDaysPlanned}::integer * interval '1 day'
      and not exists (select from met where met.kind = ours.kind and met.id = ours.id)
    union all
    select kind, id, reference, 'parked', amount_cents, null, null, null from ours
    where parked_at is not null and state = 'submitting'
      and not exists (select from met where met.kind = ours.kind and met.id = ours.id)`;
}

/** Counts the pairs of each kind. */
export function countPairs(session: Db): Promise<(Pair & { count: number })[]> {
  return session<(Pair & { count: number })[]>`
    select state as ours, their_state as theirs, amount_cents is not distinct from their_cents as "isSameAmount", count(*) as count
    from payment_pairs group by 1, 2, 3`;
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
    select kind, id::text, reference, state as ours, amount_cents as cents, their_ref as "theirRef", their_state as theirs,
      their_cents as "theirCents", amount_cents is not distinct from their_cents as "isSameAmount"
    from payment_pairs join unnest(${like.map(({ ours }) => ours ?? '')}::text[], ${like.map(({ theirs }) => theirs ?? '')}::text[],
      ${like.map(({ isSameAmount }) => String(isSameAmount))}::text[]) as wanted (ours, theirs, same)
      on coalesce(state, '') = wanted.ours and coalesce(their_state, '') = wanted.theirs
      and (amount_cents is not distinct from their_cents)::text = wanted.same
    order by kind, reference limit ${limit}`;
}
