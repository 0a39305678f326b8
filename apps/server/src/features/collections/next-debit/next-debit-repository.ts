import type { DebitNotices } from '@sparechange/contract';
import { type BalanceFloor, type Cents, type DeferralReason, type IsoDate, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { isUncollected, isUsableFunding } from '#features/core/debiting/conditions.ts';
import { debitNoticesOf } from './settings.ts';

export interface WaitingPurchase {
  day: IsoDate;
  description: string;
  /** Negative for a refunded purchase, like its `countedCents`. */
  purchaseCents: Cents;
  countedCents: Cents;
}

/** Far above a few days' purchases; more are only counted. */
const maxPurchases = 500;

/**
 * Lists the purchases whose spare change the next run takes, newest first: not yet in a debit, in a planned debit that
 * was not submitted, or in a failed one to be re-presented. Refunds deducted from them are among them.
 */
export function listWaitingPurchases(db: Db, supporterId: string): Promise<WaitingPurchase[]> {
  return db<WaitingPurchase[]>`
    with recursive collecting as (
      select id, first_seq, last_seq from debits
      where supporter_id = ${supporterId} and kind = 'round-up' and ${isUncollected(db)}
        and state in ('planned', 'returned', 'refused', 'deferred')
      union all
      select earlier.id, earlier.first_seq, earlier.last_seq
      from collecting join debits earlier on earlier.supporter_id = ${supporterId} and earlier.represented_by = collecting.id
    ), line as (
      select seq, posted_on as day, description, purchase_cents as "purchaseCents", counted_cents as "countedCents"
      from round_ups
      where supporter_id = ${supporterId} and counted_cents > 0
        and (seq > greatest(
            (select coalesce(max(last_seq), 0) from debits where supporter_id = ${supporterId}),
            (select coalesce(max(through_seq), 0) from campaign_drops where supporter_id = ${supporterId}))
          or exists (select from collecting where seq between first_seq and last_seq))
      union all
      select seq, refund.posted_on, refund.description, -purchase_cents, -cents
      from purchase_refunds refund join round_ups purchase
        on purchase.supporter_id = refund.supporter_id and purchase.seq = refund.round_up_seq
      where refund.supporter_id = ${supporterId} and cents > 0
        and (taken_off_by is null or taken_off_by in (select id from collecting))
    )
    select day, description, "purchaseCents", "countedCents" from line order by day desc, seq desc limit ${maxPurchases}`;
}

/** Lists the references of debits that a run will submit: those already planned, and the one it plans. */
export async function listReferences(
  db: Db,
  supporterId: string,
  run: IsoDate,
  waitingCents: Cents,
): Promise<string[]> {
  const planned = await db<{ reference: string; cents: Cents }[]>`
    select reference, amount_cents as cents from debits
    where supporter_id = ${supporterId} and kind = 'round-up' and state = 'planned' order by run_date`;
  const plannedCents = total(planned.map(({ cents }) => cents));
  const [own] = await db<
    { reference: string }[]
  >`select debit_reference(${supporterId}::uuid, ${run}::date) as reference`;
  const references = planned.map(({ reference }) => reference);
  return own && (waitingCents > plannedCents || references.length === 0) ? [...references, own.reference] : references;
}

export interface DebitTerms {
  accountName: string;
  maskedNumber: string;
  debitNotices: DebitNotices;
  floor: BalanceFloor;
}

/** Returns the last debit if the low-balance check deferred it. */
export async function findDeferred(
  db: Db,
  supporterId: string,
): Promise<{ date: IsoDate; because: DeferralReason } | null> {
  const [last] = await db<{ date: IsoDate; because: DeferralReason | null }[]>`
    select run_date as date, deferred_because as because from debits
    where supporter_id = ${supporterId} and kind = 'round-up' order by run_date desc limit 1`;
  return last?.because ? { date: last.date, because: last.because } : null;
}

/**
 * Finds the account that a supporter is debited from, and their preferences for debits; undefined without an account.
 */
export async function findDebitTerms(db: Db, supporterId: string): Promise<DebitTerms | undefined> {
  const [terms] = await db<DebitTerms[]>`
    select funding.name as "accountName", funding.masked_number as "maskedNumber", ${debitNoticesOf(db)} as "debitNotices",
      supporter.balance_floor_cents as floor
    from supporters supporter join accounts funding on funding.supporter_id = supporter.supporter_id
    where supporter.supporter_id = ${supporterId} and ${isUsableFunding(db, 'funding')}`;
  return terms;
}
