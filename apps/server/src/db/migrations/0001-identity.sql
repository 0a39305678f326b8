-- The embedded identity service: its own schema, so that it could be moved away whole.
-- Each table is read by one key, its primary key, and has no other unique constraint: any of them could be
-- distributed by that key. Times that tokens are compared with are whole seconds, as tokens have them.
create schema identity;

-- Which user has an e-mail address. Apart from users, so that both addresses and uids are unique each on its own.
create table identity.addresses (
  email text primary key check (email = lower(email)),
  uid text not null
);

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

-- Refresh tokens. Nothing is deleted to end them: they are compared with valid_since of the user, and a session
-- whose user is gone answers so.
create table identity.sessions (
  token_hash bytea primary key,
  uid text not null,
  since bigint not null,
  auth_time bigint not null,
  provider text not null check (provider in ('password', 'custom')),
  used_at timestamptz not null default now()
);

create table identity.reset_codes (
  code_hash bytea primary key,
  uid text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Asked-for password resets, of known and unknown addresses alike, until the e-mail is handed on.
create table identity.reset_requests (
  id uuid primary key default uuidv7(),
  email text not null,
  locale text,
  origin text,
  continue_url text,
  attempts integer not null default 0,
  due_at timestamptz not null default now()
);
create index reset_requests_due on identity.reset_requests (due_at);

-- Custom tokens that were exchanged: each is good once.
create table identity.spent_tokens (
  id text primary key,
  expires_at timestamptz not null
);

-- Limits on guessing, shared by all servers: a bucket is empty again at drained_at. Losing them in a crash harms nobody.
create unlogged table identity.limits (
  key text primary key,
  drained_at timestamptz not null
);
