-- Clubs, supporters, their bank accounts and their authority to debit.
-- Every table that grows with supporters has supporter_id first in its primary key and in every unique
-- constraint, so that it can be distributed by it (design section 1).

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: a correction is a new row', tg_table_name;
end $$;

create table clubs (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  parent_id uuid references clubs,
  abn text,
  account_name text,
  bsb_sealed bytea,
  account_number_sealed bytea
);

create table supporters (
  supporter_id uuid primary key, -- derived from uid, so that one identity has one supporter without a second unique key
  uid text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  mobile text not null,
  tenant_key text not null,
  club_id uuid not null references clubs,
  referrer text,
  registered_at timestamptz not null,
  bank_customer_id text,
  consent_active boolean not null default false,
  consent_expires_at timestamptz,
  onboarded_on date,
  rounds_from date,
  round_up_step integer not null default 100 check (round_up_step in (100, 200, 500)),
  weekly_limit_cents integer not null default 0 check (weekly_limit_cents in (0, 750, 1000, 1250)),
  savings_enabled boolean not null default false,
  synced_at timestamptz,
  check ((onboarded_on is null) = (rounds_from is null))
);
create index supporters_by_email on supporters (email);
create index supporters_by_bank_customer on supporters (bank_customer_id);

create table pauses (
  supporter_id uuid not null references supporters,
  paused_at timestamptz not null,
  paused_on date not null,
  resumed_on date,
  reason text not null check (reason in ('supporter', 'two returns')),
  primary key (supporter_id, paused_at)
);
create unique index pauses_open on pauses (supporter_id) where resumed_on is null;

create table accounts (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  provider_account_id text not null,
  name text not null,
  kind text not null,
  masked_number text not null,
  bsb_sealed bytea,
  account_number_sealed bytea,
  can_fund boolean not null,
  is_listed boolean not null default true,
  round_ups_on boolean not null default false,
  round_ups_from date,
  is_funding boolean not null default false,
  unusable_since date,
  unusable_code integer,
  primary key (supporter_id, id),
  unique (supporter_id, provider_account_id)
);
create unique index accounts_one_funding on accounts (supporter_id) where is_funding;

-- The direct debit request and service agreement the supporter agreed to (design section 8).
create table debit_authorities (
  supporter_id uuid not null references supporters,
  id uuid not null,
  account_id uuid not null,
  terms_version text not null,
  payer_name text not null,
  masked_account text not null,
  tenant text not null,
  ceiling_cents bigint not null,
  agreed_at timestamptz not null,
  ip text not null,
  user_agent text not null,
  mandate_ref text,
  cancelled_at timestamptz,
  primary key (supporter_id, id)
);

create table savings_accounts (
  supporter_id uuid primary key references supporters,
  account_name text not null,
  masked_number text not null,
  bsb_sealed bytea not null,
  account_number_sealed bytea not null,
  linked_at timestamptz not null
);

-- Who changed what: every change of a supporter's money settings and every operator command.
create table audit_log (
  supporter_id uuid not null, -- zeros where no supporter is concerned
  id uuid not null default uuidv7(),
  at timestamptz not null,
  actor text not null,
  action text not null,
  details jsonb not null default '{}',
  primary key (supporter_id, id)
);
create trigger audit_log_append_only before update or delete on audit_log
  for each statement execute function refuse_change();
