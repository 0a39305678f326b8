import { type IsoDate, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Campaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { isToBeRepresented } from '#features/core/debiting/conditions.ts';
import { withdrawPurchaseRefunds } from '#features/supporters/purchase-refunds/withdraw-purchase-refunds.ts';

/** Selects supporters, named supporter, whose campaign is over (docs/rules.md#end-of-a-campaign). */
export const campaignHasEnded = (db: Db, running: Campaigns) => db`
  (supporter.tenant_key <> all(${running.tenants.map(({ key }) => key)}::text[])
    or supporter.club_id = any(${running.endedClubs}::uuid[]))`;

/**
 * Drops everything still waiting for supporters whose campaign is over: round-ups that no debit covers, and failed
 * debits. Each supporter gets one record of it and one transfer in the ledger; a debit returned later is dropped by the
 * next run. Refunds of dropped round-ups are not deducted from later debits. The caller holds the planning lock.
 */
export async function dropAfterCampaignEnd(tx: Db, now: Date, running: Campaigns): Promise<void> {
  const day: IsoDate = sydneyDay(now);
  await tx`
    with ended as materialized (
      select supporter.supporter_id, supporter.club_id, greatest(
        coalesce((select max(last_seq) from debits where debits.supporter_id = supporter.supporter_id), 0),
        coalesce((select max(through_seq) from campaign_drops gone where gone.supporter_id = supporter.supporter_id), 0),
        supporter.deleted_through_seq) as from_seq
      from supporters supporter
      join ledger_balances balance on balance.supporter_id = supporter.supporter_id and account = 'pledged' and balance.cents > 0
      where ${campaignHasEnded(tx, running)}
    ), waiting as (
      select ended.supporter_id, ended.club_id, coalesce(max(seq), from_seq) as through_seq,
        coalesce(sum(counted_cents), 0)::bigint as cents
      from ended left join round_ups on round_ups.supporter_id = ended.supporter_id and seq > from_seq
      group by ended.supporter_id, ended.club_id, from_seq
    ), failed as (
      update debits set dropped_on = ${day} from ended
      where debits.supporter_id = ended.supporter_id and ${isToBeRepresented(tx)}
      returning debits.supporter_id, amount_cents - released_cents as cents
    ), dropped as (
      insert into campaign_drops (supporter_id, dropped_at, dropped_on, club_id, through_seq, counted_cents, failed_cents,
        refunds_cents)
      select supporter_id, ${now}, ${day}, club_id, through_seq, waiting.cents, coalesce(again.cents, 0), (
          select coalesce(sum(purchase_refunds.cents), 0) from purchase_refunds
          where purchase_refunds.supporter_id = waiting.supporter_id and taken_off_by is null and purchase_refunds.cents > 0)
      from waiting left join (
        select supporter_id, sum(cents)::bigint as cents from failed group by supporter_id) again using (supporter_id)
      where waiting.cents + coalesce(again.cents, 0) > 0
      returning supporter_id, id, club_id, counted_cents + failed_cents as cents
    )
    insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
    select supporter_id, 'dropped', id, leg.account, dropped.cents * leg.sign, club_id, ${day}
    from dropped cross join (values ('promised'::ledger_account, 1), ('pledged', -1)) as leg (account, sign)`;
  const waiting = await tx<{ supporterId: string }[]>`
    select distinct supporter_id as "supporterId" from campaign_drops gone join purchase_refunds refund using (supporter_id)
    where dropped_at = ${now} and taken_off_by is null`;
  await withdrawPurchaseRefunds(
    tx,
    waiting.map(({ supporterId }) => supporterId),
  );
}
