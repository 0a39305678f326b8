import {
  addDays,
  type Cents,
  type DeferralReason,
  type IsoDate,
  maxDeferrals,
  subtract,
  sydneyTime,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { CoveredDay, PlannedDebit, TimelineEvent, TimelineFact } from './timeline-facts.ts';

const at = (instant: Date, fact: TimelineFact): TimelineEvent => ({ at: instant, dayOnly: false, fact });
/** Places an event known only by its day at the day's last instant, so that it sorts after timed events. */
const onDay = (day: IsoDate, fact: TimelineFact): TimelineEvent => ({
  at: new Date(sydneyTime(addDays(day, 1), '00:00').getTime() - 1),
  dayOnly: true,
  fact,
});

type Fact<Kind extends TimelineFact['kind']> = Omit<Extract<TimelineFact, { kind: Kind }>, 'kind'>;

export async function registrationOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'registered'>)[]>`
    select registered_at as at, concat_ws(' ', first_name, last_name) as name, email, clubs.name as club,
      tenant_key as tenant, referrer
    from supporters join clubs on clubs.id = club_id where supporter_id = ${supporterId}`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'registered', ...fact }));
}

type Mandate = { agreedAt: Date; cancelledAt: Date | null } & Fact<'agreed to the direct debit'>;

export async function mandatesOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<Mandate[]>`
    select agreed_at as "agreedAt", cancelled_at as "cancelledAt", terms_version as "termsVersion", text_hash as "textHash",
      payer_name as "payerName", masked_account as "maskedAccount", ceiling_cents as ceiling, tenant, ip,
      user_agent as "userAgent"
    from mandates where supporter_id = ${supporterId}`;
  return rows.flatMap(({ agreedAt, cancelledAt, ...fact }) => [
    at(agreedAt, { kind: 'agreed to the direct debit', ...fact }),
    ...(cancelledAt ? [at(cancelledAt, { kind: 'mandate cancelled', maskedAccount: fact.maskedAccount })] : []),
  ]);
}

type DebitRow = Omit<PlannedDebit, 'kind' | 'days'> & {
  id: string;
  state: string;
  club: string;
  providerRef: string | null;
  returnCode: number | null;
  refusal: string | null;
  deferredBecause: DeferralReason | null;
  deferrals: number;
  /** Cents released when deferred, to be collected separately. */
  released: Cents;
  plannedAt: Date;
  submittedAt: Date | null;
  outcomeAt: Date | null;
  parkedAt: Date | null;
  /** Day its clearing was booked; shown if it was reversed. */
  clearedOn: IsoDate | null;
  droppedOn: IsoDate | null;
  /** True if the campaign ended on the day it was dropped; the row holds no reason. */
  endedThatDay: boolean;
};

export async function debitsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const debits = await db<DebitRow[]>`
    select debit.id, reference, amount_cents as amount, debit.kind as debit, run_date as "runDate", savings_cents as savings,
      represented_cents as "represented", refunds_cents as refunds, masked_account as "maskedAccount", coalesce(last_seq - first_seq + 1, 0) as covers, state,
      clubs.name as club, provider_ref as "providerRef", return_code as "returnCode", refusal, deferred_because as "deferredBecause",
      deferrals, released_cents as released, planned_at as "plannedAt", submitted_at as "submittedAt", outcome_at as "outcomeAt", parked_at as "parkedAt", dropped_on as "droppedOn", exists (
        select from campaign_drops gone where gone.supporter_id = debit.supporter_id and gone.dropped_on = debit.dropped_on) as "endedThatDay", (
        select min(booked_on) from ledger_entries entry where entry.supporter_id = debit.supporter_id
          and entry.source = debit.id and entry.kind = 'cleared') as "clearedOn"
    from debits debit join clubs on clubs.id = club_id
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    where debit.supporter_id = ${supporterId}`;
  const days = await db<({ id: string } & CoveredDay)[]>`
    select debit.id, posted_on as day, count(*) as purchases, sum(counted_cents)::bigint as counted
    from debits debit join round_ups on round_ups.supporter_id = debit.supporter_id and seq between first_seq and last_seq
    where debit.supporter_id = ${supporterId} group by 1, 2 order by 2`;
  const byDebit = Map.groupBy(days, ({ id }) => id);
  return debits.flatMap((debit) => eventsOfDebit(debit, byDebit.get(debit.id) ?? []));
}

function eventsOfDebit(row: DebitRow, days: CoveredDay[]): TimelineEvent[] {
  const { reference, amount, state, savings, club, outcomeAt } = row;
  const payment = { reference, amount };
  const { debit, runDate, represented, refunds, maskedAccount, covers } = row;
  const planned = {
    ...payment,
    kind: 'debit planned',
    debit,
    runDate,
    savings,
    represented,
    refunds,
    maskedAccount,
    covers,
  } as const;
  const cleared = { ...payment, kind: 'debit cleared', savings, club } as const;
  const events = [
    at(row.plannedAt, { ...planned, days: days.map(({ day, purchases, counted }) => ({ day, purchases, counted })) }),
  ];
  if (row.submittedAt)
    events.push(at(row.submittedAt, { ...payment, kind: 'debit submitted', providerRef: row.providerRef }));
  if (state === 'cleared' && outcomeAt) events.push(at(outcomeAt, cleared));
  if (state === 'reversed' && row.clearedOn) events.push(onDay(row.clearedOn, cleared));
  if (state === 'reversed' && outcomeAt)
    events.push(at(outcomeAt, { ...payment, kind: 'debit reversed', code: row.returnCode }));
  if (state === 'returned' && outcomeAt)
    events.push(at(outcomeAt, { ...payment, kind: 'debit returned', code: row.returnCode }));
  if (state === 'refused' && outcomeAt)
    events.push(at(outcomeAt, { ...payment, kind: 'debit refused', reason: row.refusal }));
  if (state === 'deferred' && outcomeAt && row.deferredBecause)
    events.push(at(outcomeAt, { ...payment, kind: 'debit deferred', reason: row.deferredBecause }));
  if (row.parkedAt) events.push(at(row.parkedAt, { ...payment, kind: 'debit parked' }));
  if (row.droppedOn) {
    const otherwise = row.endedThatDay ? 'campaign ended' : 'bank data deleted';
    const because = row.deferrals >= maxDeferrals ? 'waited three runs' : otherwise;
    const own = subtract(amount, row.released);
    events.push(onDay(row.droppedOn, { reference, amount: own, kind: 'debit dropped', because }));
  }
  return events;
}

interface PayoutRow {
  state: string;
  providerRef: string | null;
  failure: string | null;
  returnCode: number | null;
  submittedAt: Date | null;
  outcomeAt: Date | null;
  clearedOn: IsoDate | null;
}

const payoutColumns = (db: Db, kind: 'deposit' | 'repayment') => db`
  payout.reference, payout.amount_cents as amount, payout.state, payout.provider_ref as "providerRef", payout.failure,
  payout.return_code as "returnCode", payout.submitted_at as "submittedAt", payout.outcome_at as "outcomeAt", (
    select min(booked_on) from ledger_entries entry where entry.supporter_id = payout.supporter_id
      and entry.source = payout.id and entry.kind = ${`${kind}_cleared`}) as "clearedOn"`;

/** Returns the outcome of a payout after planning. */
function courseOf(
  kind: 'deposit' | 'refund',
  payment: { reference: string; amount: Cents; debit?: string },
  { state, providerRef, failure: reason, returnCode: code, submittedAt, outcomeAt, clearedOn }: PayoutRow,
): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  const cleared = { ...payment, kind: `${kind} cleared` } as const;
  if (submittedAt) events.push(at(submittedAt, { ...payment, kind: `${kind} submitted`, providerRef }));
  if (state === 'reversed' && clearedOn) events.push(onDay(clearedOn, cleared));
  if (!outcomeAt) return events;
  if (state === 'cleared') events.push(at(outcomeAt, cleared));
  if (state === 'returned' || state === 'reversed' || state === 'refused')
    events.push(at(outcomeAt, { ...payment, kind: `${kind} ${state}`, reason, code }));
  return events;
}

export async function depositsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<(Fact<'deposit planned'> & PayoutRow & { plannedAt: Date })[]>`
    select to_char(month, 'YYYY-MM') as month, masked_number as "maskedAccount", planned_at as "plannedAt",
      ${payoutColumns(db, 'deposit')}
    from deposits payout where supporter_id = ${supporterId}`;
  return rows.flatMap(({ reference, amount, month, maskedAccount, plannedAt, ...row }) => {
    const payment = { reference, amount };
    const planned = at(plannedAt, { ...payment, kind: 'deposit planned', month, maskedAccount });
    return [planned, ...courseOf('deposit', payment, row)];
  });
}

/** Lists the outcomes of refunds; their creation is in the audit log. */
export async function repaymentsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<(PayoutRow & { reference: string; amount: Cents; debit: string })[]>`
    select debit.reference as debit, ${payoutColumns(db, 'repayment')}
    from repayments payout join debits debit on debit.supporter_id = payout.supporter_id and debit.id = payout.debit_id
    where payout.supporter_id = ${supporterId}`;
  return rows.flatMap(({ reference, amount, debit, ...row }) => courseOf('refund', { reference, amount, debit }, row));
}

/** Round-ups not debited when the campaign ended. */
export async function campaignDropsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'round-ups dropped'>)[]>`
    select dropped_at as at, counted_cents as amount, clubs.name as club from campaign_drops join clubs on clubs.id = club_id
    where supporter_id = ${supporterId} and counted_cents > 0`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'round-ups dropped', ...fact }));
}

export async function deletionsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'bank data deleted'>)[]>`
    select deleted_at as at, reason as because, asked_by as "askedBy", accounts, round_ups as "roundUps", dropped_cents as dropped
    from bank_data_deletions where supporter_id = ${supporterId}`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'bank data deleted', ...fact }));
}

export async function purchaseRefundsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'purchase refunded'>)[]>`
    select refund.recorded_at as at, purchase.posted_on as "boughtOn", refund.posted_on as "refundedOn", refund.cents as off
    from purchase_refunds refund
    join round_ups purchase on purchase.supporter_id = refund.supporter_id and purchase.seq = refund.round_up_seq
    where refund.supporter_id = ${supporterId}`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'purchase refunded', ...fact }));
}

export async function receiptsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'receipt issued'>)[]>`
    select issued_at as at, number, first_day as "firstDay", last_day as "lastDay", total_cents as total
    from receipts where supporter_id = ${supporterId}`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'receipt issued', ...fact }));
}

interface MailRow {
  at: Date;
  sent: boolean;
  about: string;
  run: IsoDate | null;
  soFar: Cents | null;
  failure: string | null;
}

export async function mailsOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<MailRow[]>`
    select coalesce(sent_at, given_up_at) as at, sent_at is not null as sent, facts ->> 'kind' as about,
      (facts ->> 'run')::date as run, case when facts ? 'run' then (facts ->> 'amountCents')::bigint end as "soFar", failure
    from mails where supporter_id = ${supporterId} and coalesce(sent_at, given_up_at) is not null`;
  return rows.map(({ at: instant, sent, ...fact }) =>
    at(instant, { kind: sent ? 'mail sent' : 'mail given up', ...fact }),
  );
}

/** Audit actions already shown by the events above. */
const shownElsewhere = [
  'debit returned',
  'debit reversed',
  'deposit returned',
  'repayment returned',
  'chose funding account',
  'deleted bank data',
];

export async function auditLogEntriesOf(db: Db, supporterId: string): Promise<TimelineEvent[]> {
  const rows = await db<({ at: Date } & Fact<'noted'>)[]>`
    select at, actor, action, details from audit_log
    where supporter_id = ${supporterId} and action <> all(${shownElsewhere}) order by id`;
  return rows.map(({ at: instant, ...fact }) => at(instant, { kind: 'noted', ...fact }));
}

export interface ChainState {
  entries: number;
  /** True if no entry is altered or missing (docs/decisions/nightly-audit.md#hash-chains). */
  isWhole: boolean;
}

/** Checks the supporter's audit chain as `ops audit` does. */
export async function chainOf(db: Db, supporterId: string): Promise<ChainState> {
  const [state] = await db<ChainState[]>`
    with link as (
      select log.id as entry, link.*, lag(hash, 1, '') over (order by seq) as before,
        audit_entry_hash(link.previous, link.seq, log.supporter_id, log.id, log.at, log.actor, log.action, log.details) as hash_now
      from audit_log log full join audit_links link using (supporter_id, id) where supporter_id = ${supporterId}
    )
    select count(entry) as entries, coalesce(bool_and(coalesce(hash = hash_now and previous = before, false)), true)
      and coalesce(max(seq), 0) = coalesce((select seq from audit_heads where supporter_id = ${supporterId}), 0) as "isWhole"
    from link`;
  return state ?? { entries: 0, isWhole: true };
}
