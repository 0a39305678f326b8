import type { PaymentState } from '@sparechange/contract/console';
import type { Cents, IsoDate } from '@sparechange/domain';
import { idsNamed, operatorsChain } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import type { PaymentKind } from './parked-payments.ts';
import { type PaymentRecord, stateColumn } from './payment-repository.ts';

/** Facts of a payment beyond those that all have. */
export interface PaymentFacts {
  supporter: { id: string; name: string; email: string } | null;
  club: { id: string; name: string } | null;
  /** The account it was taken from or went to, masked. */
  account: string | null;
  /** Part of a debit or refund that was or had been set aside. */
  savingsCents: Cents | null;
  /** Cents deducted from a debit: spare change of refunded purchases. */
  refundsCents: Cents | null;
  /** Reason why an operator repaid it. */
  reason: string | null;
}

/** Returns a supporter's name and club, and the facts of one of their payments. */
export async function findFacts(db: Db, supporterId: string, id: string): Promise<PaymentFacts | undefined> {
  const [facts] = await db<PaymentFacts[]>`
    with payment as (
      select club_id, mandate_id, savings_cents, refunds_cents, null as masked, null as reason from debits
      where supporter_id = ${supporterId} and id = ${id}
      union all
      select null, null, null, null, masked_number, null from deposits where supporter_id = ${supporterId} and id = ${id}
      union all
      select debit.club_id, debit.mandate_id, repayment.savings_cents, null, null, reason from repayments repayment
      join debits debit on debit.supporter_id = repayment.supporter_id and debit.id = repayment.debit_id
      where repayment.supporter_id = ${supporterId} and repayment.id = ${id}
    )
    select jsonb_build_object('id', supporter.supporter_id, 'name', first_name || ' ' || last_name, 'email', email) as supporter,
      case when club.id is not null then jsonb_build_object('id', club.id, 'name', club.name) end as club,
      coalesce(masked, masked_account) as account, savings_cents as "savingsCents", refunds_cents as "refundsCents", reason
    from payment join supporters supporter on supporter.supporter_id = ${supporterId}
    left join clubs club on club.id = payment.club_id
    left join mandates mandate on mandate.supporter_id = ${supporterId} and mandate.id = mandate_id`;
  return facts;
}

export interface PurchaseLine {
  day: IsoDate;
  /** Below zero for a refunded purchase. */
  purchaseCents: Cents;
  countedCents: Cents;
}

/** Lists the purchases of a debit and of the debits it re-presents, newest first; never with their merchants. */
export const listPurchases = (db: Db, supporterId: string, debitId: string, limit: number) => db<PurchaseLine[]>`
  with recursive made_of as (
    select id, first_seq, last_seq from debits where supporter_id = ${supporterId} and id = ${debitId}
    union all
    select earlier.id, earlier.first_seq, earlier.last_seq
    from made_of join debits earlier on earlier.supporter_id = ${supporterId} and earlier.represented_by = made_of.id
  )
  select posted_on as day, purchase_cents as "purchaseCents", counted_cents as "countedCents"
  from made_of join round_ups on supporter_id = ${supporterId} and seq between first_seq and last_seq
  union all
  select refund.posted_on, -purchase_cents, -cents
  from made_of join purchase_refunds refund on refund.supporter_id = ${supporterId} and taken_off_by = made_of.id
  join round_ups purchase on purchase.supporter_id = ${supporterId} and purchase.seq = refund.round_up_seq
  order by day desc, "countedCents" desc limit ${limit}`;

export interface RelatedPayment {
  relation: 'repeats' | 'repeated_by' | 'refunded_by' | 'refund_of' | 'paid_to_club_by';
  kind: PaymentKind;
  reference: string;
  amountCents: Cents;
  state: PaymentState;
  plannedAt: Date;
}

const shared = (db: Db) => db`
  reference, amount_cents as "amountCents", ${stateColumn(db)} as state, planned_at as "plannedAt"`;

/** Lists the payments that a supporter's payment repeats, its own repetition, and its refunds. */
export const listRelated = (db: Db, { supporterId, id }: Pick<PaymentRecord, 'supporterId' | 'id'>, limit: number) => {
  const debit = db`case kind when 'donation' then 'donation' else 'debit' end as kind, ${shared(db)}`;
  return db<RelatedPayment[]>`
    select 'repeats' as relation, ${debit} from debits where supporter_id = ${supporterId} and represented_by = ${id}
    union all
    select 'repeated_by', ${debit} from debits where supporter_id = ${supporterId} and id = (
      select represented_by from debits where supporter_id = ${supporterId} and id = ${id})
    union all
    select 'refund_of', ${debit} from debits where supporter_id = ${supporterId} and id = (
      select debit_id from repayments where supporter_id = ${supporterId} and id = ${id})
    union all
    select 'refunded_by', 'repayment', ${shared(db)} from repayments where supporter_id = ${supporterId} and debit_id = ${id}
    order by "plannedAt" limit ${limit}`;
};

/** Lists the remittances that a remittance pays again, and its own repetition. */
export const listRetries = (db: Db, id: string, limit: number) => db<RelatedPayment[]>`
  select case when retried_by = ${id} then 'repeats' else 'repeated_by' end as relation, 'remittance' as kind, ${shared(db)}
  from remittances where retried_by = ${id} or id = (select retried_by from remittances where id = ${id})
  order by planned_at limit ${limit}`;

export interface PaymentMail {
  /** Its kind, as `debit_returned`. */
  about: string;
  queuedAt: Date;
  sentAt: Date | null;
  givenUpAt: Date | null;
  failure: string | null;
}

/** Lists emails about a payment: its own, notices that named its reference, and advices of several payouts. */
export function listMails(db: Db, { supporterId, id, reference }: PaymentRecord): Promise<PaymentMail[]> {
  const which = supporterId
    ? db`supporter_id = ${supporterId} and (key like ${`% ${id}`} or facts ->> 'reference' = ${reference}
        or facts -> 'furtherReferences' ? ${reference})`
    : db`supporter_id is null and (key = ${`remittance_advice ${id}`} or (facts -> 'remittanceIds' ? ${id}
        and queued_at = (select advice_mailed_at from remittances where remittances.id = ${id})))`;
  return db<PaymentMail[]>`
    select facts ->> 'kind' as about, queued_at as "queuedAt", sent_at as "sentAt", given_up_at as "givenUpAt", failure
    from mails where ${which} order by queued_at limit 20`;
}

export interface PaymentNote {
  at: Date;
  action: string;
  because: string | null;
}

/** Lists people's acts on a supporter's payment. */
export const listNotes = (db: Db, supporterId: string, id: string) => db<PaymentNote[]>`
  select at, action, coalesce(details ->> 'because', details ->> 'reason') as because from audit_log
  where supporter_id = ${supporterId} and actor = 'operator' and ${id} in (details ->> 'payment', details ->> 'debit', details ->> 'repayment')
  order by id desc limit 50`;

/** Lists people's acts on a payout to a club: it concerns no supporter, so the organisation's own log has them. */
export const listNotesOfRemittance = (db: Db, id: string) => db<PaymentNote[]>`
  select at, action, details ->> 'because' as because from audit_log
  where supporter_id = ${operatorsChain} and ${idsNamed(db)} @> array[${id}::text] and details ->> 'payment' = ${id}
  order by id desc limit 50`;
