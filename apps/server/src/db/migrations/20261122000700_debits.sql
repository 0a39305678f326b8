-- Debits that collect round-ups and donations, and what keeps them from being planned.

create table debit_runs (
  run_date date primary key,
  planned_at timestamptz,
  suspended_at timestamptz,
  suspended_because text,
  is_anomaly boolean not null default false, -- suspended for an amount far above the usual, not by the provider
  resumed_at timestamptz, -- by an operator
  confirmed_at timestamptz, -- by an operator, for every attempt to plan this run (docs/decisions/0030)
  finished_at timestamptz, -- when all planned debits had been submitted
  debits bigint not null default 0, -- totals, for comparison with later runs
  cents bigint not null default 0
);

-- Returns the reference of a run's debit on the payer's statement, known before there is a debit: 18 letters and digits.
create function debit_reference(supporter uuid, run date) returns text language sql immutable as $$
  select 'RU' || upper(left(encode(sha256(uuid_send(supporter) || date_send(run)), 'hex'), 16))
$$;

-- Returns the reference of a one-off donation.
create function debit_reference(debit uuid) returns text language sql immutable as $$
  select 'RU' || upper(left(encode(sha256(uuid_send(debit)), 'hex'), 16))
$$;

create type debit_state as enum ('planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused', 'deferred');

create table debits (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  run_date date not null,
  kind text not null check (kind in ('round-up', 'donation')),
  attempt integer not null check (attempt > 0),
  club_id uuid not null references clubs,
  authority_id uuid not null,
  reference text not null,
  request_id text, -- of a one-off donation

  amount_cents bigint not null check (amount_cents > 0),
  savings_cents bigint not null check (savings_cents between 0 and amount_cents / 2),
  first_seq bigint, -- the round-ups it covers, none where it only re-presents a returned debit
  last_seq bigint,
  refunds_cents bigint not null default 0 check (refunds_cents >= 0), -- by which it is less than its parts
  repeats_cents bigint not null default 0, -- of amount_cents: what earlier debits failed to collect
  repeated_by uuid, -- the later debit that collects this one's amount again
  -- Of repeats_cents: given back when it was deferred, for the next run to ask beside it. The rest is its own part.
  released_cents bigint not null default 0,
  deferrals smallint not null default 0 check (deferrals >= 0), -- how many runs its own part was deferred
  deferred_because text check (deferred_because in ('below floor', 'below debit', 'not readable')),
  dropped_on date, -- failed and not re-presented, because the bank data behind it were deleted

  state debit_state not null default 'planned',
  provider_ref text,
  return_code integer,
  refusal text,
  refusal_cause text -- the provider's; null otherwise
    check (refusal_cause in ('mandate_cancelled', 'above_ceiling', 'account_invalid', 'not_permitted', 'other')),
  planned_at timestamptz not null,
  submitting_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,

  -- A payment without a clear answer is asked for again, less and less often, and parked after a day (docs/decisions/0036).
  attempts integer not null default 0 check (attempts >= 0), -- inconclusive answers so far
  unknown_since timestamptz, -- the first of them
  next_attempt_at timestamptz, -- null before the first answer: at once
  parked_at timestamptz, -- until an operator has decided
  last_answer text,

  primary key (supporter_id, id),
  unique (supporter_id, run_date, kind, attempt),
  unique (supporter_id, request_id),
  check ((first_seq is null) = (last_seq is null)),
  check (last_seq >= first_seq),
  check ((state = 'deferred') = (deferred_because is not null)),
  check (released_cents between 0 and repeats_cents and released_cents <= amount_cents)
);
create unique index debits_cover_once on debits (supporter_id, first_seq) where first_seq is not null;
create index debits_by_last_seq on debits (supporter_id, last_seq desc) where last_seq is not null;
-- A submission pages through planned debits by this key, so that no batch reads what an earlier one has passed.
create index debits_planned on debits (run_date, supporter_id, id) where state = 'planned';
create index debits_unanswered on debits (next_attempt_at nulls first) where state = 'submitting';
-- A supporter with a parked debit is not debited (docs/decisions/0066).
create index debits_parked on debits (supporter_id) where state = 'submitting' and parked_at is not null;
create index debits_open on debits (submitting_at) where state in ('submitting', 'submitted');
create index debits_to_repeat on debits (supporter_id)
  where state in ('returned', 'refused', 'deferred') and repeated_by is null and dropped_on is null;
create index debits_by_provider_ref on debits (provider_ref) where provider_ref is not null;
create index debits_failed_by_reference on debits (reference) where state in ('returned', 'reversed');
create index debits_refused on debits (run_date, refusal_cause) where refusal_cause is not null;
-- Rows arrive in the order of these columns, so block ranges find the last days at next to no cost.
create index debits_by_run_date on debits using brin (run_date) with (pages_per_range = 32);
create index debits_by_planning on debits using brin (planned_at) with (pages_per_range = 32, autosummarize = on);

-- Runs that a supporter skips.
create table debit_skips (
  supporter_id uuid not null references supporters,
  run_date date not null,
  skipped_at timestamptz not null,
  primary key (supporter_id, run_date)
);
create index debit_skips_by_run on debit_skips (run_date, supporter_id);

-- Supporters whom an operator keeps from being debited; their round-ups wait.
create table debit_holds (
  supporter_id uuid not null references supporters,
  held_at timestamptz not null,
  reason text not null,
  released_at timestamptz,
  primary key (supporter_id, held_at)
);
create unique index debit_holds_open on debit_holds (supporter_id) where released_at is null;

-- Tenants whose supporters are not debited for now; the audit log has the history.
create table suspended_tenants (
  tenant_key text primary key,
  suspended_at timestamptz not null,
  reason text not null
);

-- Days on which banks do not settle, beside the product's own list (docs/decisions/0069).
create table extra_closed_days (
  day date primary key,
  reason text not null,
  added_at timestamptz not null
);

-- Amounts that were waiting when a campaign ended, dropped and booked for each supporter (docs/decisions/0059).
create table campaign_drops (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  dropped_at timestamptz not null,
  dropped_on date not null,
  club_id uuid not null references clubs,
  through_seq bigint not null, -- round-ups up to this one are debited, deleted or dropped
  counted_cents bigint not null check (counted_cents >= 0), -- of round-ups that no debit covers
  failed_cents bigint not null check (failed_cents >= 0), -- of debits that failed and are not re-presented
  refunds_cents bigint not null check (refunds_cents >= 0), -- to be taken off a debit that does not come
  primary key (supporter_id, id)
);
create trigger campaign_drops_append_only before update or delete on campaign_drops
  for each statement execute function refuse_change();
create trigger campaign_drops_never_emptied before truncate on campaign_drops
  for each statement execute function refuse_change();

create type debit_within_ceiling as (
  cents bigint,
  repeats bigint, -- of it: what earlier debits failed to collect, the oldest first
  repeats_run date, -- the last of these
  repeats_id uuid,
  last_seq bigint -- the last round-up that still fits; null where none does
);

-- Returns the failed debits and round-ups that one debit takes where all of them are above the mandate's ceiling. What
-- was dropped is never debited, and a moved date does not reopen a campaign.
create function debit_within(giver uuid, ceiling bigint) returns debit_within_ceiling language sql stable as $$
  with refunded as (
    select coalesce(sum(refunds.cents), 0)::bigint as cents from refunds
    where supporter_id = giver and taken_off_by is null and refunds.cents > 0
  ), part as (
    select run_date, id, sum(amount_cents - released_cents) over (order by run_date, id)::bigint as reached from debits
    where supporter_id = giver and kind = 'round-up' and state in ('returned', 'refused', 'deferred')
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
