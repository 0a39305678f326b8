-- The consent's life and what follows its end, the mails about it, and the hand-off between tenants' hosts.

alter table supporters
  add column consent_ended_on date,
  add column consent_end text check (consent_end in ('expired', 'withdrawn')),
  add column closed_on date,
  -- Round-ups up to this one were deleted with the bank's data; new ones are numbered on from it, so that none falls
  -- into the range of an old debit.
  add column deleted_through_seq bigint not null default 0,
  add check ((consent_ended_on is null) = (consent_end is null)),
  add check (consent_ended_on is null or not consent_active);

-- What keeps an address from getting any more mail for a while: its server said no for good.
create table mail_bounces (
  supporter_id uuid not null references supporters,
  email text not null,
  bounced_at timestamptz not null,
  reason text not null,
  primary key (supporter_id, email)
);

-- Mails to send, each once: the key says what it is about. The facts alone are kept, never the text or its links.
create table mails (
  supporter_id uuid not null references supporters,
  key text not null,
  facts jsonb not null,
  queued_at timestamptz not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  primary key (supporter_id, key),
  check (sent_at is null or given_up_at is null)
);
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;

-- Proof that a supporter's bank data were deleted, with the sums that the books are checked by from then on.
create table bank_data_deletions (
  supporter_id uuid not null references supporters,
  id uuid not null,
  deleted_at timestamptz not null,
  deleted_on date not null,
  because text not null check (because in ('expired', 'withdrawn')),
  asked_by text not null, -- the timetable, or the operator who did not wait for it
  consent_ended_on date not null,
  accounts integer not null,
  round_ups integer not null,
  through_seq bigint not null,
  counted_cents bigint not null, -- of all deleted round-ups
  debited_cents bigint not null, -- of those that a debit covers; the debit stays
  dropped_cents bigint not null, -- promised and never collected, returned debits included: not asked for any more
  primary key (supporter_id, id)
);
create trigger bank_data_deletions_append_only before update or delete on bank_data_deletions
  for each statement execute function refuse_change();
create trigger bank_data_deletions_never_emptied before truncate on bank_data_deletions
  for each statement execute function refuse_change();

-- A debit that failed and will not be repeated, because the bank's data behind it were deleted.
alter table debits add column dropped_on date;
drop index debits_to_repeat;
create index debits_to_repeat on debits (supporter_id)
  where state in ('returned', 'refused') and repeated_by is null and dropped_on is null;

alter type transfer_kind add value 'dropped';

-- Codes that hand a signed-in user over to another tenant's host (design section 6): hashed, good once, for a minute.
create table identity.handoffs (
  code_hash bytea primary key,
  uid text not null,
  host text not null,
  auth_time bigint,
  expires_at timestamptz not null
);
create index handoffs_by_end on identity.handoffs (expires_at);
