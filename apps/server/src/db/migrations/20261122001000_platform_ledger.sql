-- The platform's own double entry over the supporters' and the clubs' ledgers: where the money stands and whose it is
-- (docs/decisions/0041). A handful of rows a closed day, so that no row is shared by those who book payments.

-- Debits are positive. Assets: trust_bank (what the bank's statements show), provider_float (collected, and not yet on
-- a statement), the receivables, fees and operator_loss. Liabilities: owed_to_clubs, owed_to_savers, owed_to_payers,
-- operator_funds (the operator's own money that stands with it) and suspense (not yet explained).
create type platform_account as enum (
  'trust_bank', 'provider_float', 'receivable_from_club', 'receivable_from_saver', 'fees', 'operator_loss',
  'owed_to_clubs', 'owed_to_savers', 'owed_to_payers', 'operator_funds', 'suspense', 'receivable_from_payer');
create type platform_transfer_kind as enum (
  'day_closed', 'club_overpaid', 'statement_line', 'statement_line_matched', 'correction');

create function is_platform_asset(account platform_account) returns boolean language sql immutable as $$
  select account::text in ('trust_bank', 'provider_float', 'receivable_from_club', 'receivable_from_saver',
    'receivable_from_payer', 'fees', 'operator_loss')
$$;

create table platform_entries (
  kind platform_transfer_kind not null,
  source text not null, -- the day, the line of a statement, or the correction's id
  account platform_account not null,
  club_id uuid not null default '00000000-0000-0000-0000-000000000000', -- of a receivable
  cents bigint not null check (cents <> 0),
  booked_on date not null,
  reason text, -- of a correction
  primary key (kind, source, account, club_id)
);
create trigger platform_entries_append_only before update or delete on platform_entries
  for each statement execute function refuse_change();
create trigger platform_entries_never_emptied before truncate on platform_entries
  for each statement execute function refuse_change();

create table platform_balances (
  account platform_account not null,
  club_id uuid not null,
  cents bigint not null, -- on the account's own side
  primary key (account, club_id)
);

create function keep_platform_balances() returns trigger language plpgsql as $$
begin
  insert into platform_balances as balance (account, club_id, cents)
  select account, club_id, sum(case when is_platform_asset(account) then cents else -cents end)
  from posted group by account, club_id order by account, club_id
  on conflict (account, club_id) do update set cents = balance.cents + excluded.cents;
  return null;
end $$;
create trigger platform_balances_kept after insert on platform_entries
  referencing new table as posted for each statement execute function keep_platform_balances();

-- Returns the platform's account that a supporter's account adds to, none for what is promised and not collected.
-- `repaying` has no place of its own and counts as owed to payers.
create function platform_account_of(account ledger_account) returns platform_account language sql immutable as $$
  select case
    when account::text in ('cash', 'savings_deposited', 'repaid') then 'provider_float'
    when account::text = 'club_payable' then 'owed_to_clubs'
    when account::text in ('savings_payable', 'savings_depositing') then 'owed_to_savers'
    when account::text = 'savings_recoverable' then 'receivable_from_saver'
    when account::text = 'receivable_from_payer' then 'receivable_from_payer'
    when account::text not in ('pledged', 'in_flight', 'promised') then 'owed_to_payers'
  end::platform_account
$$;

-- Returns the totals of the ledgers below for each day after one and until another.
create function platform_totals(after date, until date)
returns table (booked_on date, account platform_account, cents bigint) language sql stable as $$
  select entry.booked_on, entry.account, sum(entry.cents)::bigint from (
    select booked_on, platform_account_of(account) as account, cents from ledger_entries
    where booked_on > after and booked_on <= until and account not in ('pledged', 'in_flight', 'promised')
    union all
    select booked_on, case account when 'remitted' then 'provider_float' else 'owed_to_clubs' end::platform_account, cents
    from club_entries where kind::text not in ('collected', 'corrected') and booked_on > after and booked_on <= until
  ) entry group by 1, 2 having sum(entry.cents) <> 0
$$;

-- Returns, for clubs below zero at the end of a day, the change of what they owe after payouts were taken back.
create function platform_receivables(day date) returns table (club_id uuid, cents bigint) language sql stable as $$
  select club_id, greatest(-cents, 0) - coalesce((
    select balance.cents from platform_balances balance
    where balance.account = 'receivable_from_club' and balance.club_id = payable.club_id), 0)
  from club_payable_at(day) payable
$$;

-- Books the days after one and until another; the days must be closed, and are booked once.
create function close_platform_days(after date, until date) returns void language sql as $$
  insert into platform_entries (kind, source, account, cents, booked_on)
  select 'day_closed', booked_on::text, account, cents, booked_on
  from platform_totals(coalesce(after, '-infinity'), until);
  with change as materialized (select club_id, cents from platform_receivables(until) where cents <> 0)
  insert into platform_entries (kind, source, account, club_id, cents, booked_on)
  select 'club_overpaid'::platform_transfer_kind, until::text, 'receivable_from_club'::platform_account, club_id, cents, until
  from change
  union all
  select 'club_overpaid', until::text, 'owed_to_clubs', '00000000-0000-0000-0000-000000000000', -sum(cents)::bigint, until
  from change having sum(cents) <> 0;
$$;
