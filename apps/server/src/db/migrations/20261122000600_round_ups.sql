-- Purchases and their spare change.

-- Both rules of a round-up, called by the statement that records it and by every estimate
-- (docs/rules.md#spare-change, docs/rules.md#weekly-limit).
create function round_up(cents bigint, step bigint) returns bigint language sql immutable parallel safe
  return (step - cents % step) % step;

-- `used` is what already counts of the week; a limit of 0 is none.
create function counted_within_limit(raw bigint, used bigint, week_limit bigint) returns bigint language sql immutable parallel safe
  return case when week_limit = 0 then raw else greatest(0, least(raw, week_limit - used)) end;

create table round_ups (
  supporter_id uuid not null references supporters,
  seq bigint not null, -- 1, 2, 3 ... a supporter: a debit names the range it covers (docs/decisions/0004)
  account_id uuid not null,
  transaction_id text not null,
  fingerprint uuid not null, -- of account, day, amount and cleaned text
  occurrence integer not null, -- 1, 2, 3 ... among purchases of equal fingerprint
  posted_on date not null,
  purchase_cents bigint not null check (purchase_cents > 0),
  description text not null,
  step_cents integer not null,
  limit_cents integer not null,
  raw_cents integer not null check (raw_cents between 0 and step_cents - 1),
  counted_cents integer not null check (counted_cents between 0 and raw_cents),
  recorded_at timestamptz not null,
  primary key (supporter_id, seq) include (counted_cents), -- a debit run adds up from the index alone
  unique (supporter_id, transaction_id),
  unique (supporter_id, fingerprint, occurrence)
);
create index round_ups_by_day on round_ups (supporter_id, posted_on);

-- Lines of a tracked account that gave no round-up, and why, for the supporter's history (docs/decisions/0027). A new
-- look at a day replaces what was kept of it; nothing is kept for longer than 90 days.
create table ineligible_transactions (
  supporter_id uuid not null references supporters,
  transaction_id text not null,
  account_id uuid not null,
  day date not null,
  cents bigint not null check (cents > 0),
  description text not null,
  reason text not null check (reason in ('pending', 'not a payment', 'bill payment', 'paused')),
  recorded_at timestamptz not null,
  primary key (supporter_id, transaction_id)
);
create index ineligible_transactions_by_day on ineligible_transactions (day);

-- Purchases that were paid back in full: their round-ups are taken off the next debit (docs/decisions/0028).
create table refunds (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  round_up_seq bigint not null, -- the purchase
  account_id uuid not null,
  transaction_id text not null, -- the credit
  fingerprint uuid not null, -- of account, day, amount and cleaned text
  occurrence integer not null, -- 1, 2, 3 ... among refunds of equal fingerprint
  posted_on date not null,
  description text not null,
  cents integer not null check (cents >= 0), -- what had counted of the purchase's round-up
  recorded_at timestamptz not null,
  taken_off_by uuid, -- the debit that was less by it
  primary key (supporter_id, id),
  unique (supporter_id, round_up_seq),
  unique (supporter_id, transaction_id),
  unique (supporter_id, fingerprint, occurrence)
);
create index refunds_to_take_off on refunds (supporter_id) include (cents) where taken_off_by is null and cents > 0;
