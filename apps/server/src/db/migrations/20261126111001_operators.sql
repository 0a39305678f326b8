-- People of the organisation and its clubs who sign in to the console. Rows stay when somebody is removed: the audit log names them.
create table operators (
  id uuid primary key default uuidv7(),
  email text not null unique check (email = lower(email)),
  name text not null,
  status text not null default 'invited' check (status in ('invited', 'active', 'removed')),
  roles text[] not null check (roles <@ array['owner', 'finance', 'support', 'viewer', 'treasurer']),
  password_hash text,
  totp_secret_encrypted bytea,
  totp_step bigint, -- the last one used: a code counts once
  created_at timestamptz not null default now(),
  signed_in_at timestamptz,
  check ((password_hash is null) = (totp_secret_encrypted is null))
);

-- The clubs of a treasurer.
create table operator_clubs (
  operator_id uuid not null references operators (id),
  club_id uuid not null references clubs (id),
  primary key (operator_id, club_id)
);

create table operator_passkeys (
  id text primary key, -- the credential's own
  operator_id uuid not null references operators (id),
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  added_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index operator_passkeys_by_operator on operator_passkeys (operator_id);

-- Mailed links, each opened once. A token is the id signed under a key that the database never sees.
create table operator_links (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators (id),
  purpose text not null check (purpose in ('invitation', 'recovery', 'sign_in')),
  expires_at timestamptz not null
);
create index operator_links_by_operator on operator_links (operator_id);

-- What a browser was given to sign, or a secret not yet proven; taken once.
create table operator_challenges (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid references operators (id), -- null before signing in
  purpose text not null check (purpose in ('sign_in', 'passkey', 'password')),
  challenge text not null,
  expires_at timestamptz not null
);
create index operator_challenges_by_end on operator_challenges (expires_at);

create table operator_sessions (
  token_hash bytea primary key,
  operator_id uuid not null references operators (id),
  method text not null check (method in ('passkey', 'password', 'link')),
  began_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(), -- the last proof of who is there
  expires_at timestamptz not null
);
create index operator_sessions_by_operator on operator_sessions (operator_id);
