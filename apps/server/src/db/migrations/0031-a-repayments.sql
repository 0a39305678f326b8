-- Debits that an operator gives back to their payers, whole or in part (docs/decisions/0075).

create table repayments (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  debit_id uuid not null,
  request_id text not null, -- the operator's own: the same one pays back once, until it has failed
  amount_cents bigint not null check (amount_cents > 0),
  savings_cents bigint not null check (savings_cents between 0 and amount_cents), -- of it, what had been set aside
  reason text not null,
  debit_claimed boolean not null default false, -- the payer's bank took the debit back as well, while this one stood
  reference text not null,
  state payout_state not null default 'planned',
  provider_ref text,
  return_code integer,
  failure text,
  planned_at timestamptz not null,
  submitting_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  unknown_since timestamptz,
  next_attempt_at timestamptz,
  parked_at timestamptz,
  last_answer text,
  primary key (supporter_id, id),
  foreign key (supporter_id, debit_id) references debits (supporter_id, id)
);
create unique index repayments_once on repayments (supporter_id, debit_id, request_id)
  where state in ('planned', 'submitting', 'submitted', 'cleared');
create index repayments_planned on repayments (planned_at) where state = 'planned';
create index repayments_unanswered on repayments (next_attempt_at nulls first) where state = 'submitting';
create index repayments_by_provider_ref on repayments (provider_ref) where provider_ref is not null;
create index repayments_by_settlement on repayments (settled_at) where state in ('returned', 'reversed', 'refused') or debit_claimed;

-- repaying: on its way to the payer. repaid: what arrived, the contra of cash. receivable_from_payer (an asset): repaid,
-- and taken back by the payer's bank besides.
alter type ledger_account add value 'repaying';
alter type ledger_account add value 'repaid';
alter type ledger_account add value 'receivable_from_payer';
alter type transfer_kind add value 'repayment_planned';
alter type transfer_kind add value 'repayment_refused';
alter type transfer_kind add value 'repayment_cleared';
alter type transfer_kind add value 'repayment_returned';
alter type transfer_kind add value 'repayment_reversed';
alter type platform_account add value 'receivable_from_payer';

create or replace function keep_balances() returns trigger language plpgsql as $$
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

-- `repaying` has no place of its own and counts as owed to payers.
create or replace function platform_account_of(account ledger_account) returns platform_account language sql immutable as $$
  select case
    when account::text in ('cash', 'savings_deposited', 'repaid') then 'provider_float'
    when account::text = 'club_payable' then 'owed_to_clubs'
    when account::text in ('savings_payable', 'savings_depositing') then 'owed_to_savers'
    when account::text = 'savings_recoverable' then 'receivable_from_saver'
    when account::text = 'receivable_from_payer' then 'receivable_from_payer'
    when account::text not in ('pledged', 'in_flight', 'promised') then 'owed_to_payers'
  end::platform_account
$$;

create or replace function is_platform_asset(account platform_account) returns boolean language sql immutable as $$
  select account::text in ('trust_bank', 'provider_float', 'receivable_from_club', 'receivable_from_saver',
    'receivable_from_payer', 'fees', 'operator_loss')
$$;

-- Each debit's part for a club as it cleared, was taken back, or was given back by an operator: whose debit it is, the
-- club's cents, and the savings that went the same way. Below zero is money that left the club.
create view gift_entries as
  select entry.supporter_id, entry.club_id, entry.booked_on, entry.kind::text as kind, entry.source,
    coalesce(repayment.debit_id, entry.source) as debit_id, -entry.cents as cents,
    case
      when repayment.id is not null then repayment.savings_cents * sign(-entry.cents)::integer
      when entry.kind = 'reversed' then coalesce((select sum(claimed.savings_cents)::bigint from repayments claimed
        where claimed.supporter_id = debit.supporter_id and claimed.debit_id = debit.id and claimed.debit_claimed), 0) - debit.savings_cents
      else debit.savings_cents
    end as savings_cents,
    debit.kind as debit_kind
  from ledger_entries entry
  left join repayments repayment on repayment.supporter_id = entry.supporter_id and repayment.id = entry.source
  join debits debit on debit.supporter_id = entry.supporter_id and debit.id = coalesce(repayment.debit_id, entry.source)
  where entry.account = 'club_payable';
