-- Double entry of every supporter and every club. Debits are positive, credits negative; the legs of one
-- (supporter_id, kind, source) or (club_id, kind, source) sum to zero.

-- Assets: pledged (by recording, not yet asked for), in_flight (asked for), cash, savings_recoverable (deposited before
-- its debit was taken back) and receivable_from_payer (repaid, and taken back by the payer's bank besides).
-- Liabilities: promised (the other side of pledged and in_flight), club_payable, savings_payable (set aside),
-- savings_depositing and repaying (on their way), savings_deposited and repaid (arrived, the contra of cash).
create type ledger_account as enum ('pledged', 'in_flight', 'cash', 'promised', 'club_payable', 'savings_payable',
  'savings_depositing', 'savings_deposited', 'savings_recoverable', 'repaying', 'repaid', 'receivable_from_payer');
create type transfer_kind as enum ('recorded', 'donation', 'submitted', 'cleared', 'returned', 'reversed', 'refused', 'dropped',
  'deposit_planned', 'deposit_refused', 'deposit_cleared', 'deposit_returned', 'deposit_reversed', 'refunded',
  'repayment_planned', 'repayment_refused', 'repayment_cleared', 'repayment_returned', 'repayment_reversed');

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
-- Entries arrive in the order of their days, so block ranges find a day at next to no cost.
create index ledger_entries_by_day on ledger_entries using brin (booked_on) with (pages_per_range = 32, autosummarize = on);
create index ledger_club_by_day on ledger_entries (booked_on, club_id) where account = 'club_payable';
create index ledger_set_aside_by_day on ledger_entries (booked_on, supporter_id) where account = 'savings_payable';
create trigger ledger_append_only before update or delete on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_change();

create table ledger_balances (
  supporter_id uuid not null,
  account ledger_account not null,
  cents bigint not null, -- on the account's own side, so a healthy balance is never below zero
  primary key (supporter_id, account)
);
create index ledger_balances_set_aside on ledger_balances (supporter_id) where account = 'savings_payable';

-- Adds entries to the balances and refuses one below zero; a check constraint would test the row that an upsert
-- proposes, before it is added to the row that it meets.
create function keep_balances() returns trigger language plpgsql as $$
declare
  below record;
begin
  with kept as (
    insert into ledger_balances as balance (supporter_id, account, cents)
    select supporter_id, account, sum(case
      when account::text in ('pledged', 'in_flight', 'cash', 'savings_recoverable', 'receivable_from_payer') then cents
      else -cents end)
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
create trigger ledger_balances_kept after insert on ledger_entries
  referencing new table as posted for each statement execute function keep_balances();

-- The day up to which what cleared for clubs is rolled up. What clears later is booked on a later day.
create table closed_days (
  singleton boolean primary key default true check (singleton),
  closed_until date
);
insert into closed_days default values;

-- The clubs' entries are a few rows a club and day, however many supporters it has. Assets: collected (what the
-- supporters' ledgers hold for the club) and adjusted (by corrections). Liabilities: payable (not yet remitted),
-- reserved (held back from remittances), in_transit (on its way) and remitted (arrived, the contra of collected cash).
create type club_account as enum ('collected', 'payable', 'in_transit', 'remitted', 'adjusted', 'reserved');
-- corrected: by an operator. reserved: with the remittance from whose days it is held back, or that pays it.
create type club_transfer_kind as enum ('collected', 'planned', 'refused', 'cleared', 'returned', 'reversed', 'corrected', 'reserved');

create table club_entries (
  club_id uuid not null references clubs,
  kind club_transfer_kind not null,
  source text not null, -- the day of what was collected, else the remittance
  account club_account not null,
  cents bigint not null check (cents <> 0),
  booked_on date not null,
  primary key (club_id, kind, source, account)
);
create index club_entries_by_day on club_entries (booked_on);
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
    select club_id, account, sum(case when account::text in ('collected', 'adjusted') then cents else -cents end)
    from posted group by club_id, account
    order by club_id, account
    on conflict (club_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.club_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account::text in ('in_transit', 'remitted', 'reserved') limit 1;
  if found then
    raise exception '% of club % would fall below zero, to % cents', below.account, below.club_id, below.cents;
  end if;
  return null;
end $$;
create trigger club_balances_kept after insert on club_entries
  referencing new table as posted for each statement execute function keep_club_balances();

-- Returns each club's balance at the end of a day, the reserve included: what it is now less what was booked since.
create function club_payable_at(day date) returns table (club_id uuid, cents bigint) language sql stable as $$
  select balance.club_id, (sum(balance.cents) + coalesce((
    select sum(later.cents) from club_entries later
    where later.club_id = balance.club_id and later.account::text in ('payable', 'reserved') and later.booked_on > day), 0))::bigint
  from club_balances balance where balance.account::text in ('payable', 'reserved') group by balance.club_id
$$;
