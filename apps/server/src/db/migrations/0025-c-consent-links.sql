-- A link to the bank's pages lives for minutes and opens once; what comes back is confirmed by the supporter's own session
-- before a new connection is used (docs/decisions/0062).
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

create table confirmed_connections (
  supporter_id uuid not null references supporters,
  job_id text not null,
  connection_id text, -- null until the provider names it
  confirmed_at timestamptz not null,
  primary key (supporter_id, job_id)
);

-- The bank names an account holder who has nothing in common with the supporter: an operator decides.
alter table accounts add column holder_differs boolean not null default false;
create table holder_reviews (
  supporter_id uuid not null references supporters,
  account_id uuid not null,
  asked_at timestamptz not null,
  decision text check (decision in ('approved', 'refused')),
  decided_at timestamptz,
  primary key (supporter_id, account_id)
);
create index holder_reviews_open on holder_reviews (asked_at) where decision is null;
