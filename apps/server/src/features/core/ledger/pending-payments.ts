import type { Cents } from '@sparechange/domain';
import type { OffboardingStatus } from '@sparechange/domain/offboarding';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { isInEffect, isOpenPause } from '#features/core/debiting/conditions.ts';

type Row = Omit<OffboardingStatus, 'debits' | 'donations' | 'donationsToCome' | 'deposits' | 'refunds'> &
  Record<`${'debits' | 'donations' | 'toCome' | 'deposits' | 'refunds'}Count`, number> &
  Record<`${'debits' | 'donations' | 'toCome' | 'deposits' | 'refunds'}Cents`, Cents>;

/** Returns pending payments and everything else that leaving would affect, in one statement. */
export async function getPendingPayments(db: Db, supporterId: string): Promise<OffboardingStatus> {
  const [row] = await db<Row[]>`
    with open as (
      select
        count(*) filter (where kind = 'round-up' and state <> 'planned') as debits,
        coalesce(sum(amount_cents) filter (where kind = 'round-up' and state <> 'planned'), 0)::bigint as debit_cents,
        count(*) filter (where kind = 'donation' and state <> 'planned') as donations,
        coalesce(sum(amount_cents) filter (where kind = 'donation' and state <> 'planned'), 0)::bigint as donation_cents,
        count(*) filter (where kind = 'donation' and state = 'planned') as to_come,
        coalesce(sum(amount_cents) filter (where kind = 'donation' and state = 'planned'), 0)::bigint as to_come_cents,
        coalesce(sum(amount_cents) filter (where state = 'submitting' or (kind = 'donation' and state = 'planned')), 0)::bigint as pledged
      from debits where supporter_id = ${supporterId} and state in ('planned', 'submitting', 'submitted')
    ), on_way as (
      select count(*) as deposits, coalesce(sum(amount_cents), 0)::bigint as cents from deposits
      where supporter_id = ${supporterId} and state in ('planned', 'submitting', 'submitted')
    ), coming_back as (
      select count(*) as refunds, coalesce(sum(amount_cents), 0)::bigint as cents from repayments
      where supporter_id = ${supporterId} and state in ('planned', 'submitting', 'submitted')
    ), balance as (
      select coalesce(sum(cents) filter (where account = 'pledged'), 0)::bigint as pledged,
        coalesce(sum(cents) filter (where account = 'savings_payable'), 0)::bigint as aside
      from ledger_balances where supporter_id = ${supporterId}
    )
    select exists (select from pauses where supporter_id = ${supporterId} and ${isOpenPause(db)}) as "isPaused",
      exists (select from mandates mandate
        join accounts account on account.supporter_id = mandate.supporter_id and account.id = mandate.account_id
        where mandate.supporter_id = ${supporterId} and ${isInEffect(db, 'mandate')}
          and account.is_funding) as "hasMandate",
      consent_active as "hasConsent",
      exists (select from accounts where supporter_id = ${supporterId})
        or exists (select from round_ups where supporter_id = ${supporterId}) as "hasBankData",
      open.debits as "debitsCount", debit_cents as "debitsCents", donations as "donationsCount",
      donation_cents as "donationsCents", to_come as "toComeCount", to_come_cents as "toComeCents",
      on_way.deposits as "depositsCount", on_way.cents as "depositsCents",
      coming_back.refunds as "refundsCount", coming_back.cents as "refundsCents",
      greatest(0, balance.pledged - open.pledged - (select coalesce(sum(cents), 0) from purchase_refunds
        where supporter_id = ${supporterId} and taken_off_by is null and cents > 0))::bigint as "waitingCents",
      greatest(0, balance.aside)::bigint as "setAsideCents"
    from supporters, open, on_way, coming_back, balance where supporter_id = ${supporterId}`;
  if (!row) throw new NotFound('The supporter');
  const { isPaused, hasMandate, hasConsent, hasBankData, waitingCents, setAsideCents } = row;
  return {
    isPaused,
    hasMandate,
    hasConsent,
    hasBankData,
    waitingCents,
    setAsideCents,
    debits: { count: row.debitsCount, cents: row.debitsCents },
    donations: { count: row.donationsCount, cents: row.donationsCents },
    donationsToCome: { count: row.toComeCount, cents: row.toComeCents },
    deposits: { count: row.depositsCount, cents: row.depositsCents },
    refunds: { count: row.refundsCount, cents: row.refundsCents },
  };
}

/** Selects the cents of a debit's club or savings part that operators have refunded or are refunding. */
export const repaidCents = (db: Db, part: 'club' | 'savings' = 'club') => db`
  coalesce((select sum(${part === 'club' ? db`repayment.amount_cents - repayment.savings_cents` : db`repayment.savings_cents`})
    from repayments repayment
    where repayment.supporter_id = debits.supporter_id and repayment.debit_id = debits.id
      and repayment.state in ('planned', 'submitting', 'submitted', 'cleared')), 0)`;
