import { type IsoDate, sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import type { Db } from '#db/connect.ts';
import type { Campaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import {
  isInEffect,
  isOpenHold,
  isOpenPause,
  isParked,
  isToBeRepresented,
  isUsableFunding,
} from '#features/core/debiting/conditions.ts';

/**
 * Queries for a `with`: `candidates` has everybody with an amount to debit on a day, the amount, and the reason if they
 * are not debited. Plans and notices of them use it; packages/domain/src/model decides nothing.
 */
export const debitCandidates = (db: Db, date: IsoDate, running: Campaigns) => db`
  tenant as (
    select * from unnest(${running.tenants.map((tenant) => tenant.key)}::text[],
      ${running.tenants.map((tenant) => tenant.minimumDebitCents)}::bigint[]) as rule (key, minimum)
  ), failed as (
    select supporter_id, sum(amount_cents - released_cents)::bigint as cents, max(attempt) as attempt
    from debits where ${isToBeRepresented(db)}
    group by supporter_id
  ), refunded as (
    select supporter_id, sum(cents)::bigint as cents from purchase_refunds where taken_off_by is null and cents > 0 group by supporter_id
  ), candidates as (
    select supporter.supporter_id, supporter.club_id, case when (cut.debit).cents is null or (cut.debit).last_seq is not null then waiting.first_seq end as first_seq,
      case when (cut.debit).cents is null then waiting.last_seq else (cut.debit).last_seq end as last_seq, amount.cents,
      covered.seq is null as is_first, coalesce((cut.debit).represented, failed.cents, 0) as represented,
      (cut.debit).represented_run, (cut.debit).represented_id, coalesce(refunded.cents, 0) as refunds,
      coalesce(failed.attempt, 0) + 1 as attempt, mandate.id as mandate_id,
      case when supporter.savings_enabled and savings.supporter_id is not null then amount.cents / 2 else 0 end as savings,
      case
        when exists (select from debits twin where twin.supporter_id = supporter.supporter_id
          and twin.run_date = ${date} and twin.kind = 'round-up') then 'already planned'
        when tenant.key is null or supporter.club_id = any(${running.endedClubs}::uuid[]) then 'campaign ended'
        when supporter.tenant_key = any(${running.suspendedTenants}) then 'tenant suspended'
        when hold.supporter_id is not null then 'on hold'
        when parked.supporter_id is not null then 'debit parked'
        when not supporter.consent_active or supporter.consent_expires_at <= ${sydneyTime(date, debitRunTime)} then 'no consent'
        when pause.supporter_id is not null then 'paused'
        when skip.supporter_id is not null then 'skipped'
        when mandate.id is null then 'no funding account'
        when candidate.cents < tenant.minimum then 'below minimum'
        when amount.cents > mandate.ceiling_cents then 'over ceiling'
      end as reason
    from (select * from supporters order by supporter_id) supporter -- debits are written as they are found: in this order
    left join lateral (
      select last_seq as seq from debits
      where debits.supporter_id = supporter.supporter_id and last_seq is not null order by last_seq desc limit 1
    ) covered on true
    left join (
      select supporter_id, max(through_seq) as seq from campaign_drops group by supporter_id
    ) gone on gone.supporter_id = supporter.supporter_id
    left join lateral (
      select sum(counted_cents)::bigint as cents, min(seq) as first_seq, max(seq) as last_seq
      from round_ups where round_ups.supporter_id = supporter.supporter_id and seq > greatest(coalesce(covered.seq, 0), coalesce(gone.seq, 0))
    ) waiting on true
    left join failed on failed.supporter_id = supporter.supporter_id
    left join refunded on refunded.supporter_id = supporter.supporter_id
    cross join lateral (
      select coalesce(waiting.cents, 0) + coalesce(failed.cents, 0) - coalesce(refunded.cents, 0) as cents) candidate
    left join tenant on tenant.key = supporter.tenant_key
    left join debit_holds hold on hold.supporter_id = supporter.supporter_id and ${isOpenHold(db, 'hold')}
    left join (
      select distinct supporter_id from debits where ${isParked(db, 'debits')}
    ) parked on parked.supporter_id = supporter.supporter_id
    left join pauses pause on pause.supporter_id = supporter.supporter_id and ${isOpenPause(db, 'pause')}
    left join debit_skips skip on skip.supporter_id = supporter.supporter_id and skip.run_date = ${date}
    left join savings_accounts savings on savings.supporter_id = supporter.supporter_id
    left join accounts funding on funding.supporter_id = supporter.supporter_id and ${isUsableFunding(db, 'funding')}
    left join lateral (
      select id, ceiling_cents from mandates
      where supporter_id = supporter.supporter_id and account_id = funding.id
        and ${isInEffect(db, 'mandates')}
      order by agreed_at desc, id limit 1
    ) mandate on true
    cross join lateral (
      select case when candidate.cents > mandate.ceiling_cents
        then debit_within(supporter.supporter_id, mandate.ceiling_cents) end as debit
    ) cut
    cross join lateral (select coalesce((cut.debit).cents, candidate.cents) as cents) amount
    where candidate.cents > 0
  )`;
