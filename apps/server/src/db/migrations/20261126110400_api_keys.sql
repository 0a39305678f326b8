-- Keys of programs (docs/decisions/0130). A secret has 256 random bits, so a fast hash of it tells nothing.

create table api_keys (
  id text primary key check (id ~ '^[0-9a-f]{12}$'), -- stands in the key itself
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  club_id uuid references clubs, -- this club and those under it; null: all of them
  hash bytea not null,
  former_hash bytea, -- before it was rotated: valid until
  former_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz, -- to the minute
  check ((former_hash is null) = (former_until is null))
);
