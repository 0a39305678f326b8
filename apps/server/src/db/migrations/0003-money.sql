-- Purchases and their spare change, the debits that collect it, and the ledger that every cent goes through.

create table round_ups (
  supporter_id uuid not null references supporters,
  seq bigint not null, -- 1, 2, 3 ... a supporter: a debit names the range it covers (docs/decisions/0004)
  account_id uuid not null,
  transaction_id text not null,
  fingerprint uuid not null, -- of account, day, amount and cleaned text
  occurrence integer not null, -- the how manieth equal purchase (design 7.1)
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

create table debit_runs (
  run_date date primary key,
  planned_at timestamptz,
  halted_at timestamptz,
  halted_because text,
  resumed_at timestamptz -- when an operator lifted the halt
);

create type debit_state as enum ('planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused');

create table debits (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  run_date date not null,
  kind text not null check (kind in ('round-up', 'donation')),
  attempt integer not null check (attempt > 0),
  club_id uuid not null references clubs,
  amount_cents bigint not null check (amount_cents > 0),
  savings_cents bigint not null check (savings_cents between 0 and amount_cents / 2),
  first_seq bigint, -- the round-ups it covers, none where it only repeats a returned debit
  last_seq bigint,
  repeats_cents bigint not null default 0, -- of amount_cents: what earlier debits failed to collect
  repeated_by uuid, -- the later debit that collects this one's amount again
  authority_id uuid not null,
  reference text not null,
  request_id text, -- of a one-off donation
  state debit_state not null default 'planned',
  provider_ref text,
  return_code integer,
  refusal text,
  planned_at timestamptz not null,
  submitting_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,
  primary key (supporter_id, id),
  unique (supporter_id, run_date, kind, attempt),
  unique (supporter_id, request_id),
  check ((first_seq is null) = (last_seq is null)),
  check (last_seq >= first_seq)
);
create unique index debits_cover_once on debits (supporter_id, first_seq) where first_seq is not null;
create index debits_by_last_seq on debits (supporter_id, last_seq desc) where last_seq is not null;
create index debits_to_submit on debits (run_date, supporter_id) where state in ('planned', 'submitting');
create index debits_by_provider_ref on debits (provider_ref) where provider_ref is not null;
create index debits_to_repeat on debits (supporter_id) where state in ('returned', 'refused') and repeated_by is null;

-- Who can be debited, from indexes alone: a debit run asks it of everybody (docs/performance.md).
create index accounts_to_debit on accounts (supporter_id) include (id)
  where is_funding and is_listed and unusable_since is null;
create index debit_authorities_in_force on debit_authorities (supporter_id, account_id, agreed_at desc, id)
  include (ceiling_cents) where mandate_ref is not null and cancelled_at is null;

-- Double entry. Assets: pledged (promised by the supporter, not yet asked for), in_flight (asked for), cash.
-- Liabilities: promised (the other side of pledged and in_flight), club_payable, savings_payable.
-- Debits are positive, credits negative; the legs of one (supporter_id, kind, source) sum to zero.
create type ledger_account as enum ('pledged', 'in_flight', 'cash', 'promised', 'club_payable', 'savings_payable');
create type transfer_kind as enum ('recorded', 'donation', 'submitted', 'cleared', 'returned', 'reversed', 'refused');

create table ledger_entries (
  supporter_id uuid not null,
  kind transfer_kind not null,
  source uuid not null,
  account ledger_account not null,
  cents bigint not null check (cents <> 0),
  club_id uuid not null,
  booked_on date not null,
  primary key (supporter_id, kind, source, account)
);
create trigger ledger_append_only before update or delete on ledger_entries
  for each statement execute function refuse_change();

create table ledger_balances (
  supporter_id uuid not null,
  account ledger_account not null,
  cents bigint not null, -- on the account's own side, so a healthy balance is never below zero
  primary key (supporter_id, account),
  check (cents >= 0 or account = 'club_payable')
);

create function keep_balances() returns trigger language plpgsql as $$
begin
  insert into ledger_balances as balance (supporter_id, account, cents)
  select supporter_id, account,
    sum(case when account in ('pledged', 'in_flight', 'cash') then cents else -cents end)
  from posted group by supporter_id, account
  order by supporter_id, account
  on conflict (supporter_id, account) do update set cents = balance.cents + excluded.cents;
  return null;
end $$;
create trigger ledger_balances_kept after insert on ledger_entries
  referencing new table as posted for each statement execute function keep_balances();

-- What stands on the payer's statement and comes back in a return: 18 letters and digits derived from the debit.
create function debit_reference(debit uuid) returns text language sql immutable as $$
  select 'RU' || upper(left(encode(sha256(uuid_send(debit)), 'hex'), 16))
$$;

-- How far the provider's outcomes were read.
create table poll_cursors (
  name text primary key,
  read_until timestamptz not null
);
