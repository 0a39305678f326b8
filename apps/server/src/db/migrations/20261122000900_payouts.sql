-- Money that leaves: monthly deposits of savings and remittances to clubs (docs/decisions/0010 and 0013), and repayments.
-- Columns of submission, from provider_ref to last_answer, are those of debits.

create type payout_state as enum ('planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused');

-- Returns the reference on the payee's statement, found again at the provider: 18 letters and digits derived from the row.
create function payout_reference(prefix text, payout uuid) returns text language sql immutable as $$
  select prefix || upper(left(encode(sha256(uuid_send(payout)), 'hex'), 16))
$$;

create table deposits (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  month date not null check (extract(day from month) = 1), -- what was set aside up to its end
  attempt integer not null check (attempt > 0),
  amount_cents bigint not null check (amount_cents > 0),
  masked_number text not null, -- the account it goes to
  account_linked_at timestamptz not null, -- and when that one was linked
  reference text not null,
  state payout_state not null default 'planned',
  provider_ref text,
  return_code integer,
  failure text, -- why it was refused or came back
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
  unique (supporter_id, month, attempt)
);
create unique index deposits_one_a_month on deposits (supporter_id, month)
  where state in ('planned', 'submitting', 'submitted', 'cleared');
create index deposits_to_submit on deposits (supporter_id) where state in ('planned', 'submitting');
create index deposits_unanswered on deposits (next_attempt_at nulls first) where state = 'submitting';
create index deposits_by_provider_ref on deposits (provider_ref) where provider_ref is not null;
create index deposits_by_planning on deposits using brin (planned_at) with (pages_per_range = 32, autosummarize = on);

create table remittances (
  id uuid primary key default uuidv7(),
  club_id uuid not null references clubs,
  run_date date not null,
  attempt integer not null check (attempt > 0), -- of that club and run day
  amount_cents bigint not null check (amount_cents > 0),
  held_back_cents bigint not null default 0, -- of its days, as reserve; below zero: paid out of the reserve
  first_day date, -- the days it pays out, none where it only repeats a failed remittance
  last_day date,
  repeats_cents bigint not null default 0, -- of amount_cents: what earlier remittances failed to pay
  repeated_by uuid references remittances, -- the later remittance that pays this one's amount again
  failures smallint not null default 0 check (failures >= 0), -- how often this money has failed in a row
  retry_on date, -- of a failed one: the banking day from which it is paid again; null waits for other bank details
  account_number_encrypted bytea, -- as the club's account was when it was last submitted
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
  unique (club_id, run_date, attempt),
  check ((first_day is null) = (last_day is null)),
  check (last_day >= first_day)
);
create unique index remittances_cover_once on remittances (club_id, first_day) where first_day is not null;
create index remittances_by_last_day on remittances (club_id, last_day desc) where last_day is not null;
create index remittances_to_submit on remittances (run_date, club_id) where state in ('planned', 'submitting');
create index remittances_unanswered on remittances (next_attempt_at nulls first) where state = 'submitting';
create index remittances_to_repeat on remittances (club_id)
  where state in ('returned', 'reversed', 'refused') and repeated_by is null;
create index remittances_by_provider_ref on remittances (provider_ref) where provider_ref is not null;

-- Remittance advice (docs/decisions/0026) and the outbox that mails it: one row a remittance.
create table remittance_advices (
  remittance_id uuid primary key references remittances,
  club_id uuid not null references clubs,
  facts jsonb not null, -- what it says; CSV and PDF are made of it, the same each time
  made_at timestamptz not null,
  email text, -- the club's address when it was made; without one it is kept and not mailed
  attempts integer not null default 0,
  due_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  check (sent_at is null or given_up_at is null)
);
create index remittance_advices_due on remittance_advices (due_at)
  where email is not null and sent_at is null and given_up_at is null;
create trigger remittance_advices_kept before update of remittance_id, club_id, facts, made_at or delete on remittance_advices
  for each statement execute function refuse_change();
create trigger remittance_advices_never_emptied before truncate on remittance_advices
  for each statement execute function refuse_change();

-- Debits that an operator gives back to their payers, whole or in part (docs/decisions/0067).
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

-- A club's part of each debit as it cleared, was taken back or was repaid, with the savings that went the same way.
-- Below zero is money that left the club.
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
