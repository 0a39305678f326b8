import { type BalanceFloor, type Cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import { retryPlans } from '@sparechange/domain/retry-plan';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import type { Campaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { hasParkedDebit, isHeld, isPaused, isUsableFunding } from '#features/core/debiting/conditions.ts';
import { isDueAgain, isSubmitting, unansweredColumns } from '#features/core/submission/unanswered-payments.ts';
import type { RefusalCause } from '#ports/direct-debit.ts';
import { campaignHasEnded } from './drop-after-campaign-end.ts';

export type DebitState =
  | 'planned'
  | 'submitting'
  | 'submitted'
  | 'cleared'
  | 'returned'
  | 'reversed'
  | 'refused'
  | 'deferred';

export interface Debit {
  supporterId: string;
  id: string;
  runDate: IsoDate;
  kind: 'round-up' | 'donation';
  attempt: number;
  clubId: string;
  amount: Cents;
  savings: Cents;
  reference: string;
  mandateId: string;
  mandateRef: string;
  state: DebitState;
  providerRef: string | null;
}

const columns = (db: Db) => db`
  debit.supporter_id as "supporterId", debit.id, debit.run_date as "runDate", debit.kind, debit.attempt,
  debit.club_id as "clubId", debit.amount_cents as amount, debit.savings_cents as savings, debit.reference, mandate.id as "mandateId",
  mandate.mandate_ref as "mandateRef", debit.state, debit.provider_ref as "providerRef"`;

export interface UnansweredDebit extends Debit {
  attempts: number;
  unknownSince: Date | null;
  submittingAt: Date | null;
  /** Tenant suspended or supporter held: looked up, not submitted again. */
  isHeld: boolean;
}

/** Lists debits submitted without a conclusive answer that are due to be retried, longest due first. */
export const listDueAgain = (
  db: Db,
  kinds: Debit['kind'][],
  now: Date,
  suspended: string[],
  limit: number,
): Promise<UnansweredDebit[]> =>
  listSubmitting(db, db`${isDueAgain(db, 'debits', now)} and kind = any(${kinds})`, suspended, limit);

/** Finds a debit that is being submitted, parked or not. */
export async function findSubmittingDebit(
  db: Db,
  id: string,
  suspended: string[],
): Promise<UnansweredDebit | undefined> {
  const [debit] = await listSubmitting(db, isSubmitting(db, 'debits', id), suspended, 1);
  return debit;
}

function listSubmitting(
  db: Db,
  which: ReturnType<typeof isSubmitting>,
  suspended: string[],
  limit: number,
): Promise<UnansweredDebit[]> {
  return db<UnansweredDebit[]>`
    with due as materialized (
      select supporter_id, id from debits where ${which} order by next_attempt_at nulls first limit ${limit}
    )
    select ${columns(db)}, ${unansweredColumns(db, 'debit')}, (supporter.tenant_key = any(${suspended}) or ${isHeld(db, 'debit')}) as "isHeld"
    from due join debits debit using (supporter_id, id)
    join supporters supporter on supporter.supporter_id = debit.supporter_id
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    order by debit.next_attempt_at nulls first`;
}

const hasConsent = (db: Db, now: Date) => db`
  (supporter.consent_active and coalesce(supporter.consent_expires_at > ${now}, true))`;

const waitsForPause = (db: Db) => db`(waiting.kind = 'round-up' and ${isPaused(db, 'waiting')})`;

/**
 * Finds debits, being submitted for more than a day, that the supporter or the end of a campaign has since forbidden;
 * returns the reasons by id (docs/decisions/returned-debits.md#lapsed-debits).
 */
export async function findLapsedDebits(
  db: Db,
  now: Date,
  running: Campaigns,
  debits: Pick<Debit, 'supporterId' | 'id'>[],
): Promise<Map<string, string>> {
  const lapsed = await db<{ id: string; reason: string | null }[]>`
    select waiting.id, case
        when not ${hasConsent(db, now)} then 'the consent has ended'
        when ${campaignHasEnded(db, running)} then 'the campaign has ended'
        when ${waitsForPause(db)} then 'round-ups are paused'
      end as reason
    from unnest(${debits.map(({ supporterId }) => supporterId)}::uuid[], ${debits.map(({ id }) => id)}::uuid[])
      as unsent (supporter_id, id)
    join debits waiting on waiting.supporter_id = unsent.supporter_id and waiting.id = unsent.id
    join supporters supporter on supporter.supporter_id = waiting.supporter_id
    where waiting.submitting_at <= ${new Date(now.getTime() - retryPlans.payment.givenUpAfterMs)}`;
  return new Map(lapsed.flatMap(({ id, reason }) => (reason ? [[id, reason]] : [])));
}

/**
 * Selects planned debits, named waiting, that may be submitted at an instant. A debit waits while
 * - its supporter has no consent (docs/rules.md#consent-term),
 * - it is a one-off donation that can still be undone (docs/rules.md#one-off-donation),
 * - its tenant is suspended,
 * - an operator holds its supporter,
 * - its supporter has a parked debit (docs/decisions/direct-debit-requests.md#one-debit-in-doubt),
 * - the bank no longer shows its funding account (docs/decisions/accounts-and-round-ups.md#missing-accounts),
 * - the bank returned a debit of that account
 *   (docs/decisions/direct-debit-requests.md#planned-debits-follow-the-account),
 * - it is for round-ups, and its supporter has paused or skips that day's run (docs/rules.md#pause).
 */
export const mayGo = (db: Db, now: Date, suspended: string[]) => db`
  ${hasConsent(db, now)}
    and (waiting.held_until is null or waiting.held_until <= ${now})
    and supporter.tenant_key <> all(${suspended})
    and not ${isHeld(db, 'waiting')}
    and not ${hasParkedDebit(db, 'waiting')}
    and not exists (select from mandates agreed
      join accounts debited on debited.supporter_id = agreed.supporter_id and debited.id = agreed.account_id
      where agreed.supporter_id = waiting.supporter_id and agreed.id = waiting.mandate_id
        and debited.is_funding and not ${isUsableFunding(db, 'debited')})
    and not ${waitsForPause(db)}
    and (waiting.kind = 'donation' or not exists (
      select from debit_skips skip where skip.supporter_id = waiting.supporter_id and run_date = ${sydneyDay(now)}))`;

/** Position of a submission among the planned debits. */
export type DebitCursor = Pick<Debit, 'runDate' | 'supporterId' | 'id'>;

/** A planned debit with the low-balance check's facts. */
export interface NextToSubmit extends Pick<Debit, 'supporterId' | 'id' | 'runDate' | 'kind' | 'amount'> {
  /** 0 for a donation: its payer knows their balance. */
  floor: BalanceFloor;
  /** True if the debit before it was deferred, in an earlier submission, because the balance could not be read. */
  wasUnread: boolean;
  bankCustomerId: string | null;
  /** The bank link's account id; null once no longer shared. */
  providerAccountId: string | null;
}

export interface PlannedPage {
  /** Debits of the page that may go now. */
  debits: NextToSubmit[];
  /** The page's last debit, whether or not it may go. */
  last: DebitCursor;
}

export interface PageRequest {
  now: Date;
  /** Start of the submission. */
  beganAt: Date;
  /** Keys of suspended tenants. */
  suspended: string[];
  after: DebitCursor | undefined;
  limit: number;
}

const noId = '00000000-0000-0000-0000-000000000000';
const firstCursor = { runDate: '-infinity', supporterId: noId, id: noId };

/**
 * Reads the next page of planned debits, oldest first; returns undefined at the end. The page is chosen from its index
 * before any join, so that a submission reads each planned debit once, regardless of statistics.
 */
export async function readPlannedPage(
  db: Db,
  kinds: Debit['kind'][],
  { now, beganAt, suspended, after, limit }: PageRequest,
): Promise<PlannedPage | undefined> {
  const { runDate, supporterId, id } = after ?? firstCursor;
  // One kind is written as a literal, so that the partial index debits_planned_donations is used.
  const ofKind = kinds.length === 1 && kinds[0] === 'donation' ? db`kind = 'donation'` : db`kind = any(${kinds})`;
  const page = await db<(NextToSubmit & { mayGo: boolean })[]>`
    with waiting as materialized (
      select supporter_id, id, run_date, kind, amount_cents, mandate_id, held_until from debits
      where state = 'planned' and ${ofKind}
        and (run_date, supporter_id, id) > (${runDate}::date, ${supporterId}::uuid, ${id}::uuid)
      order by run_date, supporter_id, id limit ${limit}
    )
    select waiting.supporter_id as "supporterId", waiting.id, waiting.run_date as "runDate", waiting.kind, waiting.amount_cents as amount,
      case when waiting.kind = 'donation' then 0 else supporter.balance_floor_cents end as floor,
      coalesce((select before.deferred_because = 'not readable' and before.outcome_at < ${beganAt} from debits before
        where before.supporter_id = waiting.supporter_id and before.kind = 'round-up' and before.run_date < waiting.run_date
        order by before.run_date desc limit 1), false) as "wasUnread",
      supporter.bank_customer_id as "bankCustomerId", account.provider_account_id as "providerAccountId",
      ${mayGo(db, now, suspended)} as "mayGo"
    from waiting join supporters supporter using (supporter_id)
    left join mandates mandate on mandate.supporter_id = waiting.supporter_id and mandate.id = waiting.mandate_id
    left join accounts account on account.supporter_id = waiting.supporter_id and account.id = mandate.account_id
      and account.is_listed
    order by waiting.run_date, waiting.supporter_id, waiting.id`;
  const last = page.at(-1);
  return last && { debits: page.filter((debit) => debit.mayGo), last };
}

/**
 * Takes planned debits to submit them; from here on the provider may have them. Those that may no longer go are left.
 */
export function takePlanned(
  db: Db,
  now: Date,
  debits: Pick<Debit, 'supporterId' | 'id'>[],
  suspended: string[],
): Promise<UnansweredDebit[]> {
  return db<UnansweredDebit[]>`
    with next as (
      select waiting.supporter_id, waiting.id
      from unnest(${debits.map(({ supporterId }) => supporterId)}::uuid[], ${debits.map(({ id }) => id)}::uuid[])
        as wanted (supporter_id, id)
      join debits waiting on waiting.supporter_id = wanted.supporter_id and waiting.id = wanted.id
      join supporters supporter on supporter.supporter_id = waiting.supporter_id
      where waiting.state = 'planned' and ${mayGo(db, now, suspended)}
      order by waiting.run_date, waiting.supporter_id for update of waiting
    )
    update debits debit set state = 'submitting', submitting_at = ${now}
    from next, mandates mandate
    where debit.supporter_id = next.supporter_id and debit.id = next.id
      and mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    returning ${columns(db)}, ${unansweredColumns(db, 'debit')}, false as "isHeld"`;
}

/** Moves a debit from one state to another; returns whether it did, so that a repeated notification is applied once. */
export async function moveDebit(
  db: Db,
  debit: Pick<Debit, 'supporterId' | 'id'>,
  from: DebitState[],
  to: DebitState,
  facts: {
    at: Date;
    providerRef?: string;
    returnCode?: number | undefined;
    refusal?: string;
    refusalCause?: RefusalCause;
  },
): Promise<boolean> {
  const moved = await db`
    update debits set state = ${to}, parked_at = null,
      provider_ref = coalesce(${facts.providerRef ?? null}, provider_ref),
      return_code = coalesce(${facts.returnCode ?? null}, return_code),
      refusal = coalesce(${facts.refusal ?? null}, refusal),
      refusal_cause = coalesce(${facts.refusalCause ?? null}, refusal_cause),
      submitted_at = case when ${to === 'submitted'} then ${facts.at}::timestamptz else submitted_at end,
      outcome_at = case when ${to === 'submitted'} then outcome_at else ${facts.at}::timestamptz end
    where supporter_id = ${debit.supporterId} and id = ${debit.id} and state = any(${from}::debit_state[])`;
  return moved.count === 1;
}

/**
 * Compares a debit's state as a range of one: the partial index of debits in it, full of dead entries in the middle of
 * a run, would be read whole for each batch. As text it could not be compared: Citus refuses that in an update.
 */
const isInState = (db: Db, state: DebitState) =>
  db`debits.state between ${state}::debit_state and ${state}::debit_state`;

/** Moves accepted debits in one statement; returns the moved ids. */
export async function moveSubmitted(
  db: Db,
  accepted: { row: Pick<Debit, 'supporterId' | 'id'>; providerRef: string }[],
  at: Date,
): Promise<Set<string>> {
  const moved = await db<{ id: string }[]>`
    update debits set state = 'submitted', parked_at = null, provider_ref = taken.provider_ref, submitted_at = ${at}
    from unnest(${accepted.map(({ row }) => row.supporterId)}::uuid[], ${accepted.map(({ row }) => row.id)}::uuid[],
      ${accepted.map(({ providerRef }) => providerRef)}::text[]) as taken (supporter_id, id, provider_ref)
    where debits.supporter_id = taken.supporter_id and debits.id = taken.id and ${isInState(db, 'submitting')}
    returning debits.id`;
  return new Set(moved.map(({ id }) => id));
}

/** Moves locked debits to cleared, in one statement. */
export async function moveCleared(db: Db, debits: Pick<Debit, 'supporterId' | 'id'>[], at: Date): Promise<void> {
  await db`
    update debits set state = 'cleared', parked_at = null, outcome_at = ${at}
    from unnest(${debits.map(({ supporterId }) => supporterId)}::uuid[], ${debits.map(({ id }) => id)}::uuid[])
      as arrived (supporter_id, id)
    where debits.supporter_id = arrived.supporter_id and debits.id = arrived.id and ${isInState(db, 'submitted')}`;
}

/** Returns whether a debit has cleared, at this moment: no lock is taken. */
export async function hasCleared(db: Db, providerRef: string): Promise<boolean> {
  const [found] = await db`select from debits where provider_ref = ${providerRef} and state = 'cleared'`;
  return found !== undefined;
}

/** Locks debits by provider references, in one order. */
export function lockByProviderRefs(db: Db, providerRefs: string[]): Promise<Debit[]> {
  return db<Debit[]>`
    select ${columns(db)} from debits debit
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    where debit.provider_ref = any(${providerRefs}) order by debit.supporter_id, debit.id for update of debit`;
}

/** Returns whether a debit re-presents one returned with code 6. */
export async function rePresentsCode6Return(db: Db, debit: Pick<Debit, 'supporterId' | 'id'>): Promise<boolean> {
  const [earlier] = await db`
    select 1 from debits
    where supporter_id = ${debit.supporterId} and represented_by = ${debit.id} and return_code = 6 limit 1`;
  return earlier !== undefined;
}

export async function countOpen(pool: Pool): Promise<number> {
  const counts = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<{ count: number }[]>`
      select count(*) as count from debits where state in ('submitting', 'submitted')`,
  );
  return counts.reduce((sum, { count }) => sum + count, 0);
}
