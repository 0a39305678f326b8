-- Lines of a tracked account that gave no round-up, and why: a supporter who looks for a purchase in their history finds
-- it (docs/decisions/0027). What the bank shows of a day replaces what was noticed of it, and nothing is kept for longer
-- than 90 days.
create table noticed_lines (
  supporter_id uuid not null references supporters,
  transaction_id text not null,
  account_id uuid not null,
  day date not null,
  cents bigint not null check (cents > 0),
  description text not null,
  reason text not null check (reason in ('pending', 'not a payment', 'bill payment', 'paused')),
  noticed_at timestamptz not null,
  primary key (supporter_id, transaction_id)
);
create index noticed_lines_by_day on noticed_lines (day);
