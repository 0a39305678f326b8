import { type Cents, formatCents, sydneyDateTime, sydneyDay } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';

export type PaymentKind = 'debit' | 'donation' | 'deposit' | 'remittance' | 'repayment';

export interface ParkedPayment {
  kind: PaymentKind;
  id: string;
  /** Ours, as it appears on a bank statement. */
  reference: string;
  amount: Cents;
  attempts: number;
  unknownSince: Date | null;
  parkedAt: Date;
  lastAnswer: string | null;
}

const parkedOfSupporters = (db: Db) => db`
  select case kind when 'donation' then 'donation' else 'debit' end as kind, id, reference, amount_cents as amount, attempts,
    unknown_since as "unknownSince", parked_at as "parkedAt", last_answer as "lastAnswer"
  from debits where state = 'submitting' and parked_at is not null
  union all
  select 'deposit', id, reference, amount_cents, attempts, unknown_since, parked_at, last_answer
  from deposits where state = 'submitting' and parked_at is not null
  union all
  select 'repayment', id, reference, amount_cents, attempts, unknown_since, parked_at, last_answer
  from repayments where state = 'submitting' and parked_at is not null`;

const parkedOfClubs = (db: Db) => db`
  select 'remittance' as kind, id, reference, amount_cents as amount, attempts, unknown_since as "unknownSince",
    parked_at as "parkedAt", last_answer as "lastAnswer"
  from remittances where state = 'submitting' and parked_at is not null`;

/** Lists parked payments, which await an operator, newest first. */
export async function listParked(pool: Pool, limit: number): Promise<ParkedPayment[]> {
  const newestOf = (db: Db, parked: (db: Db) => Part) => db<ParkedPayment[]>`
    select * from (${parked(db)}) parked order by "parkedAt" desc, id limit ${limit}`;
  const ofBuckets = pool.inBuckets().map((db) => newestOf(db, parkedOfSupporters));
  const found = (await Promise.all([newestOf(pool, parkedOfClubs), ...ofBuckets])).flat();
  const order = (one: ParkedPayment, other: ParkedPayment) =>
    other.parkedAt.getTime() - one.parkedAt.getTime() || one.id.localeCompare(other.id);
  return found.sort(order).slice(0, limit);
}

export interface Unanswered {
  kind: string;
  unknown: number;
  parked: number;
}

const unansweredOfSupporters = (db: Db) => db`
  select case kind when 'donation' then 'donation' else 'debit' end as kind, unknown_since, parked_at from debits
  where state = 'submitting' and unknown_since is not null
  union all select 'deposit', unknown_since, parked_at from deposits where state = 'submitting' and unknown_since is not null
  union all select 'repayment', unknown_since, parked_at from repayments where state = 'submitting' and unknown_since is not null`;

const unansweredOfClubs = (db: Db) => db`
  select 'remittance' as kind, unknown_since, parked_at from remittances where state = 'submitting' and unknown_since is not null`;

interface Unknown extends Unanswered {
  /** Instant since when the oldest payment being retried has had no conclusive answer. */
  since: Date | null;
}

/** Counts the payments without a conclusive answer by kind: those being retried, and those parked. */
export async function readUnanswered(pool: Pool): Promise<Unknown[]> {
  const readOf = (db: Db, unanswered: (db: Db) => Part) => db<Unknown[]>`
    select kind, count(*) filter (where parked_at is null)::int as unknown, count(parked_at)::int as parked,
      min(unknown_since) filter (where parked_at is null) as since
    from (${unanswered(db)}) unanswered group by kind`;
  const ofBuckets = pool.inBuckets().map((db) => readOf(db, unansweredOfSupporters));
  const read = await Promise.all([readOf(pool, unansweredOfClubs), ...ofBuckets]);
  const byKind = Map.groupBy(read.flat(), ({ kind }) => kind);
  const sums = [...byKind].map(([kind, counts]) => ({
    kind,
    unknown: counts.reduce((sum, { unknown }) => sum + unknown, 0),
    parked: counts.reduce((sum, { parked }) => sum + parked, 0),
    since: counts.flatMap(({ since }) => since ?? []).sort((one, other) => one.getTime() - other.getTime())[0] ?? null,
  }));
  return sums.sort((one, other) => one.kind.localeCompare(other.kind));
}

/** Counts the payments without a conclusive answer by kind. */
export const countUnanswered = async (pool: Pool): Promise<Unanswered[]> =>
  (await readUnanswered(pool)).map(({ kind, unknown, parked }) => ({ kind, unknown, parked }));

/** Describes the debits a parked payment holds up: its supporter's. */
export const whatIsHeldUp = (kind: PaymentKind): string =>
  kind === 'debit' || kind === 'donation' ? '; its supporter is not debited again before that is decided' : '';

/** Limit on single alarms; above it one alarm covers all. */
const maxAlarms = 20;

/** Raises an alarm for each parked payment, or one for all of them if there are many. */
export async function watchParked(deps: Pick<AlarmDeps, 'clock' | 'log'> & { db: Pool }): Promise<void> {
  const found = await listParked(deps.db, maxAlarms + 1);
  for (const payment of found.slice(0, maxAlarms)) await raiseAlarm(deps, alarmOf(payment));
  if (found.length <= maxAlarms) return;
  const day = found[0] ? sydneyDay(found[0].parkedAt) : '';
  const sentence = `More than ${maxAlarms} payments are parked. Retry them all once the provider has recovered.`;
  await raiseAlarm(deps, {
    name: 'payments_parked',
    about: day,
    sentence,
    see: { page: 'Payments', command: 'payment retry --all' },
  });
}

const alarmOf = ({ kind, reference, amount, attempts, unknownSince, parkedAt, lastAnswer }: ParkedPayment) => ({
  name: 'payment_parked' as const,
  about: `${reference} ${parkedAt.toISOString()}`,
  sentence: `The ${kind} ${reference} of ${formatCents(amount)} has been without a conclusive answer since ${unknownSince ? `${sydneyDateTime(unknownSince)} Sydney time` : 'it was parked'} (${attempts} attempts; the last: ${lastAnswer ?? 'none'}). It is asked for no more${whatIsHeldUp(kind)}.`,
  see: { page: 'Payments' as const, reference },
});
