-- The embedded identity service, in a schema of its own so that it can be moved away whole. Each table is read by its
-- primary key and has no other unique constraint. Times that tokens are compared with are whole seconds, as in tokens.
create schema identity;

-- Maps addresses to users; apart from users, so that both addresses and uids are unique.
create table identity.addresses (
  email text primary key check (email = lower(email)),
  uid text not null,
  held_until timestamptz -- of an address that was changed: kept for its user until then, so that the change can be undone
);
create index addresses_held on identity.addresses (uid) where held_until is not null;

create table identity.users (
  uid text primary key check (length(uid) between 1 and 128),
  email text not null,
  email_verified boolean not null default false,
  password_hash text not null, -- PHC string: algorithm, parameters and salt are part of it
  display_name text,
  photo_url text,
  disabled boolean not null default false,
  valid_since bigint not null, -- sessions and tokens that began earlier are void
  created_at timestamptz not null default now(),
  last_login_at timestamptz not null default now(),
  password_updated_at timestamptz not null default now() -- reset codes made earlier are void
);

-- Refresh tokens. Rows are kept for a while after their end, so that a token is answered as ended, not as unknown.
create table identity.sessions (
  token_hash bytea primary key,
  uid text not null,
  since bigint not null, -- compared with valid_since of the user
  auth_time bigint not null,
  provider text not null check (provider in ('password', 'custom')),
  used_at timestamptz not null default now(),
  ended_at timestamptz -- by signing out
);

-- One-time codes of mailed links, in the Identity Toolkit's words (docs/decisions/0070).
create table identity.oob_codes (
  code_hash bytea primary key,
  uid text not null,
  request_type text not null default 'password_reset'
    check (request_type in ('password_reset', 'verify_email', 'verify_and_change_email', 'recover_email')),
  email text not null, -- the user's when the code was requested
  new_email text,
  since bigint, -- of a change: void once the user's sessions from before then have ended
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index oob_codes_by_uid on identity.oob_codes (uid);

-- Requested codes, of known and unknown addresses alike, until the email is delivered.
create table identity.oob_requests (
  id uuid primary key default uuidv7(),
  request_type text not null default 'password_reset'
    check (request_type in ('password_reset', 'verify_email', 'verify_and_change_email', 'recover_email')),
  uid text, -- null for a password reset, which may be requested for an unknown address
  email text not null,
  new_email text,
  locale text,
  origin text,
  continue_url text,
  since bigint,
  attempts integer not null default 0,
  due_at timestamptz not null default now()
);
create index oob_requests_due on identity.oob_requests (due_at);

-- Custom tokens that were exchanged: each is valid once.
create table identity.spent_tokens (
  id text primary key,
  expires_at timestamptz not null
);

-- Codes that sign a user in at another tenant's host, valid once and for a minute. They end with the session that asked.
create table identity.handoffs (
  code_hash bytea primary key,
  uid text not null,
  host text not null,
  since bigint not null,
  auth_time bigint,
  session_hash bytea,
  challenge bytea, -- set by the browser that redeems the code; without one the code opens nothing
  expires_at timestamptz not null
);
create index handoffs_by_end on identity.handoffs (expires_at);

-- Networks from which a user has proven who they are: guesses from elsewhere cannot lock them out (docs/decisions/0051).
create table identity.known_networks (
  uid text not null,
  network text not null, -- a hash: no address is kept
  seen_at timestamptz not null,
  primary key (uid, network)
);
create index known_networks_by_age on identity.known_networks (seen_at);

-- Limits on guessing, shared by all servers: a bucket is empty at drained_at. Unlogged: losing them in a crash does no harm.
create unlogged table identity.limits (
  key text primary key,
  drained_at timestamptz not null
);
