-- Clubs and supporters. Every table that grows with supporters has supporter_id first in its primary key and in every
-- unique constraint, so that it can be distributed by it.

create table clubs (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  parent_id uuid references clubs,
  abn text,
  dgr_since date, -- endorsed as a deductible gift recipient from this day, by the Australian Business Register
  account_name text,
  bsb_encrypted bytea,
  account_number_encrypted bytea,
  contact_email text,
  reserve_cents bigint not null default 0 check (reserve_cents >= 0), -- to be held back at most
  check (dgr_since is null or abn is not null)
);

create table supporters (
  supporter_id uuid primary key, -- derived from uid: one identity has one supporter without a second unique key
  uid text not null,
  registered_at timestamptz not null,
  registration_key text, -- the request that registered: repeated after a lost answer, it is no second registration
  tenant_key text not null,
  club_id uuid not null references clubs,
  referrer text,
  closed_on date,

  email text not null,
  email_proven_at timestamptz, -- by a reader of the address's mail; before, emails carry no words of the registration
  email_changed_at timestamptz, -- when it last followed the identity user's (docs/decisions/0071)
  first_name text not null,
  last_name text not null,
  mobile text not null,

  bank_customer_id text,
  consent_active boolean not null default false,
  consent_expires_at timestamptz,
  consent_ended_on date,
  consent_end text check (consent_end in ('expired', 'withdrawn')),
  -- When the withdrawal began to wait for the provider (docs/decisions/0029): a consent given before then is not active.
  consent_revoking_since timestamptz,
  connection_ends_at timestamptz, -- the first end of the banks' own permissions for tracked accounts (docs/decisions/0033)
  connection_ended_on date, -- the day on which one was found ended

  synced_at timestamptz, -- the last request to the bank link
  -- Up to when the banks have sent data of the tracked accounts, by the one furthest behind (docs/decisions/0031).
  bank_data_at timestamptz,
  statement_digest bytea, -- of the lines and settings last recorded from: equal ones record nothing
  deleted_through_seq bigint not null default 0, -- the last deleted round-up: new ones are numbered on from it

  onboarded_on date,
  rounds_from date,
  round_up_step integer not null default 100 check (round_up_step in (100, 200, 500)),
  weekly_limit_cents integer not null default 0 check (weekly_limit_cents in (0, 750, 1000, 1250)),
  savings_enabled boolean not null default false,
  debit_notices_enabled boolean not null default true, -- emails on the evening before each debit
  -- Debits are deferred below it (docs/decisions/0023); 0: the balance is not read.
  balance_floor_cents integer not null default 5000 check (balance_floor_cents in (0, 5000, 10000, 20000)),
  check ((onboarded_on is null) = (rounds_from is null)),
  check ((consent_ended_on is null) = (consent_end is null)),
  check (consent_ended_on is null or not consent_active)
);
create index supporters_by_email on supporters (email);
create index supporters_by_bank_customer on supporters (bank_customer_id);
create index supporters_revoking on supporters (supporter_id) where consent_revoking_since is not null;
-- Operators find a supporter by name or mobile number (docs/decisions/0068).
create index supporters_by_last_name on supporters (lower(last_name) text_pattern_ops);
create index supporters_by_first_name on supporters (lower(first_name) text_pattern_ops);
create index supporters_by_mobile on supporters (right(regexp_replace(mobile, '\D', '', 'g'), 9));

create table pauses (
  supporter_id uuid not null references supporters,
  paused_at timestamptz not null,
  paused_on date not null,
  until date, -- ends by itself on this day, where the supporter chose one
  resumed_on date,
  reason text not null check (reason in ('supporter', 'two returns')),
  primary key (supporter_id, paused_at),
  check (until > paused_on)
);
create unique index pauses_open on pauses (supporter_id) where resumed_on is null;
create index pauses_to_end on pauses (until) where resumed_on is null and until is not null;

-- Sign-ins at an outside identity provider that a supporter has ended here, known by the second their tokens carry.
create table ended_sign_ins (
  supporter_id uuid not null,
  auth_time bigint not null,
  and_earlier boolean not null,
  ended_at timestamptz not null,
  primary key (supporter_id, auth_time, and_earlier)
);
