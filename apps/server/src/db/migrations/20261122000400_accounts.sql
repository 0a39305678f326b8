-- Bank accounts of supporters, and the mandates to debit them.

create table accounts (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  provider_account_id text not null,
  first_provider_account_id text, -- part of its purchases' fingerprints, where the id has changed since
  identity bytea, -- keyed hash of BSB and number (docs/decisions/0045); null until computed, or where there is no number
  institution text, -- the provider's id of the bank
  name text not null,
  kind text not null,
  masked_number text not null,
  bsb_encrypted bytea,
  account_number_encrypted bytea,
  can_fund boolean not null,
  is_listed boolean not null default true,
  missing_since timestamptz, -- when the bank first left it out of its list
  missing_mailed_at timestamptz, -- kept when it comes back, so that one that comes and goes is mailed about once
  holder_differs boolean not null default false, -- from the supporter: an operator decides
  round_ups_on boolean not null default false,
  round_ups_from date,
  is_funding boolean not null default false,
  unusable_since date, -- takes no debits until the supporter chooses an account again
  unusable_code integer,
  unusable_because text check (unusable_because in ('returned', 'mandate_cancelled')),
  primary key (supporter_id, id),
  unique (supporter_id, provider_account_id)
);
create unique index accounts_by_identity on accounts (supporter_id, identity);
create unique index accounts_one_funding on accounts (supporter_id) where is_funding;
-- Read by a debit run for every supporter, from the index alone (docs/performance.md).
create index accounts_to_debit on accounts (supporter_id) include (id)
  where is_funding and is_listed and unusable_since is null;

-- Further provider ids under which an account is shown, or was.
create table account_aliases (
  supporter_id uuid not null,
  provider_account_id text not null,
  account_id uuid not null,
  primary key (supporter_id, provider_account_id),
  foreign key (supporter_id, account_id) references accounts (supporter_id, id) on delete cascade
);

-- Accounts under every provider id.
create view shown_accounts as
  select supporter_id, provider_account_id, id as account_id,
    coalesce(first_provider_account_id, provider_account_id) as first_provider_account_id,
    is_listed and round_ups_on as is_tracked, round_ups_from
  from accounts
  union all
  select supporter_id, alias.provider_account_id, account_id,
    coalesce(first_provider_account_id, accounts.provider_account_id), is_listed and round_ups_on, round_ups_from
  from account_aliases alias join accounts using (supporter_id)
  where accounts.id = alias.account_id;

-- Accounts whose holder, as the bank names them, has nothing in common with the supporter.
create table holder_reviews (
  supporter_id uuid not null references supporters,
  account_id uuid not null,
  asked_at timestamptz not null,
  decision text check (decision in ('approved', 'refused')),
  decided_at timestamptz,
  primary key (supporter_id, account_id)
);
create index holder_reviews_open on holder_reviews (asked_at) where decision is null;

-- Texts under which mandates were agreed to, once for each wording: evidence for claims years later.
create table direct_debit_texts (
  hash text primary key, -- SHA-256 of the content, in hex
  version text not null,
  content text not null,
  kept_at timestamptz not null
);
create trigger direct_debit_texts_append_only before update or delete on direct_debit_texts
  for each statement execute function refuse_change();
create trigger direct_debit_texts_never_emptied before truncate on direct_debit_texts
  for each statement execute function refuse_change();

-- Direct debit requests and service agreements that supporters agreed to.
create table debit_authorities (
  supporter_id uuid not null references supporters,
  id uuid not null,
  account_id uuid not null,
  terms_version text not null,
  text_hash text references direct_debit_texts, -- null where agreed to before texts were kept
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
create index debit_authorities_in_force on debit_authorities (supporter_id, account_id, agreed_at desc, id)
  include (ceiling_cents) where mandate_ref is not null and cancelled_at is null;
-- Notifications and the daily poll name a mandate by the provider's reference.
create index debit_authorities_by_mandate on debit_authorities (mandate_ref) where mandate_ref is not null and cancelled_at is null;

create table savings_accounts (
  supporter_id uuid primary key references supporters,
  account_name text not null,
  masked_number text not null,
  bsb_encrypted bytea not null,
  account_number_encrypted bytea not null,
  linked_at timestamptz not null,
  receives_from date, -- of an account that replaces another; null for the first one
  refused_at timestamptz -- by a provider or bank: it receives nothing until another one is linked
);
