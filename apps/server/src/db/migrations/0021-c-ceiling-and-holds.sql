-- A supporter whom an operator keeps from being debited; nothing of what waits is lost.
create table debit_holds (
  supporter_id uuid not null references supporters,
  held_at timestamptz not null,
  because text not null,
  released_at timestamptz,
  primary key (supporter_id, held_at)
);
create unique index debit_holds_open on debit_holds (supporter_id) where released_at is null;

-- Returns the failed debits and round-ups that one debit takes where all of them are above the mandate's ceiling.
create type debit_within_ceiling as (
  cents bigint,
  repeats bigint, -- of it: what earlier debits failed to collect, the oldest first
  repeats_run date, -- the last of these
  repeats_id uuid,
  last_seq bigint -- the last round-up that still fits; null where none does
);

create function debit_within(giver uuid, ceiling bigint) returns debit_within_ceiling language sql stable as $$
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
    where supporter_id = giver and seq > coalesce((
      select last_seq from debits where debits.supporter_id = giver and last_seq is not null order by last_seq desc limit 1), 0)
  ), fits as (
    select seq, line.reached from line, refunded, failed where line.reached <= ceiling + refunded.cents - failed.reached
    order by seq desc limit 1
  )
  select (coalesce(again.reached, 0) + coalesce(fits.reached, 0) - refunded.cents)::bigint, coalesce(again.reached, 0)::bigint,
    again.run_date, again.id, fits.seq
  from refunded left join again on true left join fits on true
  where coalesce(again.reached, 0) + coalesce(fits.reached, 0) > refunded.cents -- else not even the first part fits
$$;
