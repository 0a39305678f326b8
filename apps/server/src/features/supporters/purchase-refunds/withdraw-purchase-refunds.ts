import type { Db } from '#db/connect.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { effectiveStates } from '#features/core/payouts/payout-kind.ts';

/**
 * Condition on a round-up, named bought, of which nothing was given in the end: it, its debit, or that debit's
 * re-presentation was dropped, or the collected money was reversed or fully repaid.
 */
export const isLost = (db: Db) => db`(
  exists (
    with recursive asked as (
      select id, state, represented_by, dropped_on, amount_cents from debits
      where debits.supporter_id = bought.supporter_id and bought.seq between first_seq and last_seq
      union all
      select again.id, again.state, again.represented_by, again.dropped_on, again.amount_cents
      from asked join debits again on again.supporter_id = bought.supporter_id and again.id = asked.represented_by
    )
    select from asked where state = 'reversed' or dropped_on is not null or amount_cents = (
      select sum(repaid.amount_cents) from repayments repaid where repaid.supporter_id = bought.supporter_id
        and repaid.debit_id = asked.id and repaid.state = any(${[...effectiveStates]}::payout_state[])))
  or exists (
    select from campaign_drops gone where gone.supporter_id = bought.supporter_id and bought.seq <= through_seq
      and not exists (select from debits
        where debits.supporter_id = bought.supporter_id and bought.seq between first_seq and last_seq)))`;

/**
 * Withdraws refunds waiting to be deducted if nothing was given of their purchases in the end
 * (docs/decisions/savings-and-refunds.md#refunded-purchases). Called in the transaction that causes this, which has the
 * planners' lock before it locks a debit.
 */
export async function withdrawPurchaseRefunds(tx: Db, supporterIds: string[]): Promise<void> {
  const lost = await tx<{ supporterId: string; seq: number }[]>`
    select refund.supporter_id as "supporterId", round_up_seq as seq
    from purchase_refunds refund join round_ups bought
      on bought.supporter_id = refund.supporter_id and bought.seq = refund.round_up_seq
    where refund.supporter_id = any(${supporterIds}::uuid[]) and taken_off_by is null and ${isLost(tx)}`;
  if (lost.length === 0) return;
  await lockAgainstPlanning(tx); // a plan deducts the refunds it has summed
  await tx`
    delete from purchase_refunds refund
    using unnest(${lost.map(({ supporterId }) => supporterId)}::uuid[], ${lost.map(({ seq }) => seq)}::bigint[])
      as lost (supporter_id, seq)
    where refund.supporter_id = lost.supporter_id and round_up_seq = lost.seq and taken_off_by is null`;
}
