-- A bank account is known by its own number, whatever id the provider gives it (docs/decisions/0051).
alter table accounts
  add column identity bytea, -- keyed hash of BSB and number; null until computed, or where there is no number
  add column institution text, -- the provider's id of the bank
  add column first_provider_account_id text, -- part of the fingerprints of its purchases, where the id has changed since
  add column missing_since timestamptz; -- when the bank first left it out of its list
create unique index accounts_by_identity on accounts (supporter_id, identity);

-- Further ids under which the provider shows an account, or has shown it.
create table account_aliases (
  supporter_id uuid not null,
  provider_account_id text not null,
  account_id uuid not null,
  primary key (supporter_id, provider_account_id),
  foreign key (supporter_id, account_id) references accounts (supporter_id, id) on delete cascade
);

-- Accounts under every id of the provider.
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
