-- Consents with the banks, passes over the bank link, and the deletion of bank data.

-- Links to the bank's consent pages, which open once and expire within minutes (docs/decisions/0056).
create table consent_links (
  supporter_id uuid not null references supporters,
  ticket_hash bytea not null,
  purpose text not null,
  tenant_key text not null,
  is_renewal boolean not null,
  asked_at timestamptz not null,
  opened_at timestamptz,
  nonce_hash bytea, -- made when it is opened
  primary key (supporter_id, ticket_hash)
);

-- Connections that the supporter's own session confirmed, without which a new one is not used.
create table confirmed_connections (
  supporter_id uuid not null references supporters,
  job_id text not null,
  connection_id text, -- null until the provider names it
  confirmed_at timestamptz not null,
  primary key (supporter_id, job_id)
);

-- Progress of a pass over every supporter, so that an interrupted one goes on where it was (docs/decisions/0046).
create table bank_passes (
  task text primary key check (task in ('sync', 'consent_poll')),
  due_at timestamptz not null,
  began_after uuid not null, -- where the pass before had ended
  reached uuid not null,
  has_wrapped boolean not null default false,
  is_swept boolean not null default false,
  attempted integer not null default 0,
  failed integer not null default 0
);

-- Supporters about whom the bank link did not answer.
create table bank_pass_failures (
  supporter_id uuid not null references supporters,
  task text not null check (task in ('sync', 'consent_poll')),
  failed_at timestamptz not null,
  tries integer not null,
  next_try_at timestamptz not null,
  primary key (supporter_id, task)
);
create index bank_pass_failures_due on bank_pass_failures (task, next_try_at);

-- Proof that a supporter's bank data were deleted, with the sums by which the books are checked from then on.
create table bank_data_deletions (
  supporter_id uuid not null references supporters,
  id uuid not null,
  deleted_at timestamptz not null,
  deleted_on date not null,
  reason text not null check (reason in ('expired', 'withdrawn')),
  asked_by text not null, -- the timetable, or the operator who did not wait for it
  consent_ended_on date not null,
  accounts integer not null,
  round_ups integer not null,
  through_seq bigint not null,
  counted_cents bigint not null, -- of all deleted round-ups
  debited_cents bigint not null, -- of those that a debit covers; the debit stays
  dropped_cents bigint not null, -- pledged and never collected, returned debits included: not asked for any more
  dropped_before_cents bigint not null default 0, -- of counted_cents: by an ended campaign
  primary key (supporter_id, id)
);
create trigger bank_data_deletions_append_only before update or delete on bank_data_deletions
  for each statement execute function refuse_change();
create trigger bank_data_deletions_never_emptied before truncate on bank_data_deletions
  for each statement execute function refuse_change();
