-- What was waiting when a campaign ended, dropped and booked supporter by supporter (docs/decisions/0066).
create table campaign_drops (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  dropped_at timestamptz not null,
  dropped_on date not null,
  club_id uuid not null references clubs,
  through_seq bigint not null, -- round-ups up to this one are debited, deleted or dropped
  counted_cents bigint not null check (counted_cents >= 0), -- of round-ups that no debit covers
  failed_cents bigint not null check (failed_cents >= 0), -- of debits that failed and are not asked for again
  refunds_cents bigint not null check (refunds_cents >= 0), -- to be taken off a debit that does not come
  primary key (supporter_id, id)
);
create trigger campaign_drops_append_only before update or delete on campaign_drops
  for each statement execute function refuse_change();
create trigger campaign_drops_never_emptied before truncate on campaign_drops
  for each statement execute function refuse_change();

alter table bank_data_deletions add column dropped_before_cents bigint not null default 0; -- of counted_cents: by an ended campaign

-- What was dropped is never debited, and what ended is not begun again by moving a date.
create or replace function debit_within(giver uuid, ceiling bigint) returns debit_within_ceiling language sql stable as $$
  with refunded as (
    select coalesce(sum(refunds.cents), 0)::bigint as cents from refunds
    where supporter_id = giver and taken_off_by is null and refunds.cents > 0
  ), part as (
    select run_date, id, sum(amount_cents - released_cents) over (order by run_date, id)::bigint as reached from debits
    where supporter_id = giver and kind = 'round-up' and state in ('returned', 'refused', 'waited')
      and repeated_by is null and dropped_on is null
  ), again as (
    select run_date, id, reached from part, refunded where reached <= ceiling + refunded.cents
    order by run_date desc, id desc limit 1
  ), failed as (
    select coalesce(max(reached), 0) as reached from part
  ), line as (
    select seq, sum(counted_cents) over (order by seq)::bigint as reached from round_ups
    where supporter_id = giver and seq > greatest(coalesce((
        select last_seq from debits where debits.supporter_id = giver and last_seq is not null order by last_seq desc limit 1), 0),
      coalesce((select max(through_seq) from campaign_drops where campaign_drops.supporter_id = giver), 0))
  ), fits as (
    select seq, line.reached from line, refunded, failed where line.reached <= ceiling + refunded.cents - failed.reached
    order by seq desc limit 1
  )
  select (coalesce(again.reached, 0) + coalesce(fits.reached, 0) - refunded.cents)::bigint, coalesce(again.reached, 0)::bigint,
    again.run_date, again.id, fits.seq
  from refunded left join again on true left join fits on true
  where coalesce(again.reached, 0) + coalesce(fits.reached, 0) > refunded.cents -- else not even the first part fits
$$;
