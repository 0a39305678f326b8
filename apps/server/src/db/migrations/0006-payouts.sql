-- Money that leaves: monthly deposits of what is set aside, and remittances to clubs (docs/decisions/0010 and 0013).

create type payout_state as enum ('planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused');

-- What stands on the payee's statement and is found again at the provider: 18 letters and digits derived from the row.
create function payout_reference(prefix text, payout uuid) returns text language sql immutable as $$
  select prefix || upper(left(encode(sha256(uuid_send(payout)), 'hex'), 16))
$$;

-- ── Savings ──────────────────────────────────────────────────────────────────────────────────────────────────────

create table deposits (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  month date not null check (extract(day from month) = 1), -- what was set aside up to its end
  attempt integer not null check (attempt > 0),
  amount_cents bigint not null check (amount_cents > 0),
  masked_number text not null, -- the account it goes to, and since when that is the linked one
  account_linked_at timestamptz not null,
  reference text not null,
  state payout_state not null default 'planned',
  provider_ref text,
  return_code integer,
  failure text, -- why it was refused or came back
  planned_at timestamptz not null,
  submitting_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,
  primary key (supporter_id, id),
  unique (supporter_id, month, attempt)
);
create unique index deposits_one_a_month on deposits (supporter_id, month)
  where state in ('planned', 'submitting', 'submitted', 'cleared');
create index deposits_to_submit on deposits (supporter_id) where state in ('planned', 'submitting');
create index deposits_by_provider_ref on deposits (provider_ref) where provider_ref is not null;

-- savings_payable: set aside. savings_depositing: on its way. savings_deposited: what arrived, the contra of cash.
-- savings_recoverable (an asset): arrived although the debit it came from was taken back later.
alter type ledger_account add value 'savings_depositing';
alter type ledger_account add value 'savings_deposited';
alter type ledger_account add value 'savings_recoverable';
alter type transfer_kind add value 'deposit planned';
alter type transfer_kind add value 'deposit refused';
alter type transfer_kind add value 'deposit cleared';
alter type transfer_kind add value 'deposit returned';
alter type transfer_kind add value 'deposit reversed';

create or replace function keep_balances() returns trigger language plpgsql as $$
declare
  below record;
begin
  with kept as (
    insert into ledger_balances as balance (supporter_id, account, cents)
    select supporter_id, account,
      sum(case when account in ('pledged', 'in_flight', 'cash', 'savings_recoverable') then cents else -cents end)
    from posted group by supporter_id, account
    order by supporter_id, account
    on conflict (supporter_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.supporter_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account <> 'club_payable' limit 1;
  if found then
    raise exception '% of % would fall below zero, to % cents', below.account, below.supporter_id, below.cents;
  end if;
  return null;
end $$;

create index ledger_balances_set_aside on ledger_balances (supporter_id) where account = 'savings_payable';
create index ledger_set_aside_by_day on ledger_entries (booked_on, supporter_id) where account = 'savings_payable';

-- ── Clubs ────────────────────────────────────────────────────────────────────────────────────────────────────────

create index ledger_club_by_day on ledger_entries (booked_on, club_id) where account = 'club_payable';

-- Up to which day what cleared for clubs is rolled up. What clears later is booked on a later day.
create table closed_days (
  singleton boolean primary key default true check (singleton),
  closed_until date
);
insert into closed_days default values;

-- The clubs' own double entry: a few rows a club and day, however many supporters it has. Debits are positive.
-- collected (an asset): what the supporters' ledgers hold for the club. payable: not yet remitted. in_transit: on its
-- way. remitted: what arrived, the contra of the cash that was collected.
create type club_account as enum ('collected', 'payable', 'in_transit', 'remitted');
create type club_transfer_kind as enum ('collected', 'planned', 'refused', 'cleared', 'returned', 'reversed');

create table club_entries (
  club_id uuid not null references clubs,
  kind club_transfer_kind not null,
  source text not null, -- the day of what was collected, else the remittance
  account club_account not null,
  cents bigint not null check (cents <> 0),
  booked_on date not null,
  primary key (club_id, kind, source, account)
);
create trigger club_entries_append_only before update or delete on club_entries
  for each statement execute function refuse_change();
create trigger club_entries_never_emptied before truncate on club_entries
  for each statement execute function refuse_change();

create table club_balances (
  club_id uuid not null references clubs,
  account club_account not null,
  cents bigint not null, -- on the account's own side
  primary key (club_id, account)
);

create function keep_club_balances() returns trigger language plpgsql as $$
declare
  below record;
begin
  with kept as (
    insert into club_balances as balance (club_id, account, cents)
    select club_id, account, sum(case when account = 'collected' then cents else -cents end)
    from posted group by club_id, account
    order by club_id, account
    on conflict (club_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.club_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account in ('in_transit', 'remitted') limit 1;
  if found then
    raise exception '% of club % would fall below zero, to % cents', below.account, below.club_id, below.cents;
  end if;
  return null;
end $$;
create trigger club_balances_kept after insert on club_entries
  referencing new table as posted for each statement execute function keep_club_balances();

create table remittances (
  id uuid primary key default uuidv7(),
  club_id uuid not null references clubs,
  run_date date not null,
  attempt integer not null check (attempt > 0), -- of that club and run day
  amount_cents bigint not null check (amount_cents > 0),
  first_day date, -- the days it pays out, none where it only repeats a failed remittance
  last_day date,
  repeats_cents bigint not null default 0, -- of amount_cents: what earlier remittances failed to pay
  repeated_by uuid references remittances, -- the later remittance that pays this one's amount again
  account_number_sealed bytea, -- as the club's account was when it was last submitted
  reference text not null,
  state payout_state not null default 'planned',
  provider_ref text,
  return_code integer,
  failure text,
  planned_at timestamptz not null,
  submitting_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,
  unique (club_id, run_date, attempt),
  check ((first_day is null) = (last_day is null)),
  check (last_day >= first_day)
);
create unique index remittances_cover_once on remittances (club_id, first_day) where first_day is not null;
create index remittances_by_last_day on remittances (club_id, last_day desc) where last_day is not null;
create index remittances_to_submit on remittances (run_date, club_id) where state in ('planned', 'submitting');
create index remittances_to_repeat on remittances (club_id)
  where state in ('returned', 'reversed', 'refused') and repeated_by is null;
create index remittances_by_provider_ref on remittances (provider_ref) where provider_ref is not null;
