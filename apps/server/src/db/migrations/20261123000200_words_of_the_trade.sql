-- Names in the trade's words: mandates, purchase refunds, re-presented debits, retried remittances, outcomes.
alter table debit_authorities rename to mandates;
alter index debit_authorities_pkey rename to mandates_pkey;
alter index debit_authorities_in_force rename to mandates_in_force;
alter index debit_authorities_by_mandate rename to mandates_by_reference;
alter table debits rename column authority_id to mandate_id;

alter table refunds rename to purchase_refunds;
alter index refunds_pkey rename to purchase_refunds_pkey;
alter index refunds_to_take_off rename to purchase_refunds_to_take_off;

alter table debits rename column repeats_cents to represented_cents;
alter table debits rename column repeated_by to represented_by;
alter table remittances rename column repeats_cents to retried_cents;
alter table remittances rename column repeated_by to retried_by;

-- The time of the last change of state, also where a payment was refused, returned or deferred and nothing settled.
alter table debits rename column settled_at to outcome_at;
alter table deposits rename column settled_at to outcome_at;
alter table remittances rename column settled_at to outcome_at;
alter table repayments rename column settled_at to outcome_at;
alter index repayments_by_settlement rename to repayments_by_outcome;

comment on column debits.dropped_on is
  'failed or deferred, and not re-presented: its campaign ended, its bank data were deleted, or it was deferred too often';

drop function debit_within;
alter type debit_within_ceiling rename attribute repeats to represented;
alter type debit_within_ceiling rename attribute repeats_run to represented_run;
alter type debit_within_ceiling rename attribute repeats_id to represented_id;

-- Returns the failed debits and round-ups that one debit takes where all of them are above the mandate's ceiling. What
-- was dropped is never debited, and a moved date does not reopen a campaign.
create function debit_within(supporter uuid, ceiling bigint) returns debit_within_ceiling language sql stable as $$
  with refunded as (
    select coalesce(sum(refund.cents), 0)::bigint as cents from purchase_refunds refund
    where supporter_id = supporter and taken_off_by is null and refund.cents > 0
  ), part as (
    select run_date, id, sum(amount_cents - released_cents) over (order by run_date, id)::bigint as reached from debits
    where supporter_id = supporter and kind = 'round-up' and state in ('returned', 'refused', 'deferred')
      and represented_by is null and dropped_on is null
  ), again as (
    select run_date, id, reached from part, refunded where reached <= ceiling + refunded.cents
    order by run_date desc, id desc limit 1
  ), failed as (
    select coalesce(max(reached), 0) as reached from part
  ), line as (
    select seq, sum(counted_cents) over (order by seq)::bigint as reached from round_ups
    where supporter_id = supporter and seq > greatest(coalesce((
        select last_seq from debits where debits.supporter_id = supporter and last_seq is not null order by last_seq desc limit 1), 0),
      coalesce((select max(through_seq) from campaign_drops where campaign_drops.supporter_id = supporter), 0))
  ), fits as (
    select seq, line.reached from line, refunded, failed where line.reached <= ceiling + refunded.cents - failed.reached
    order by seq desc limit 1
  )
  select (coalesce(again.reached, 0) + coalesce(fits.reached, 0) - refunded.cents)::bigint, coalesce(again.reached, 0)::bigint,
    again.run_date, again.id, fits.seq
  from refunded left join again on true left join fits on true
  where coalesce(again.reached, 0) + coalesce(fits.reached, 0) > refunded.cents -- else not even the first part fits
$$;
