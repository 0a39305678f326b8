-- Records of the direct-entry adapter, which no provider keeps for us (docs/decisions/0013). They stand for the books of
-- a bank: known by our references, never joined with a supporter. Account numbers are encrypted.

create schema direct_entry;

create table direct_entry.mandates (
  id text primary key,
  ceiling_cents bigint not null check (ceiling_cents > 0),
  account_encrypted bytea, -- removed once it is cancelled
  agreed_at timestamptz not null,
  cancelled_at timestamptz,
  check ((account_encrypted is null) = (cancelled_at is not null))
);

create table direct_entry.files (
  name text primary key,
  kind text not null check (kind in ('debit', 'payout')),
  process_on date not null,
  entries integer not null check (entries > 0),
  total_cents bigint not null check (total_cents > 0),
  content_hash text not null, -- SHA-256: a file of this name never has another content
  content_encrypted bytea, -- removed once it has cleared or was withdrawn
  written_at timestamptz not null,
  lodged_at timestamptz,
  clears_on date,
  done_at timestamptz,
  withdrawn_at timestamptz,
  check ((lodged_at is null) = (clears_on is null)),
  check (lodged_at is null or withdrawn_at is null)
);
create index files_by_day on direct_entry.files (kind, process_on);
create index files_open on direct_entry.files (name) where done_at is null and withdrawn_at is null;

create table direct_entry.entries (
  reference text primary key check (reference ~ '^[A-Z0-9]{1,18}$'), -- the lodgement reference, which returns name
  kind text not null check (kind in ('debit', 'payout')),
  order_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  due_on date not null,
  remitter text not null,
  account_encrypted bytea, -- removed once it has cleared or come back
  state text not null default 'accepted' check (state in ('accepted', 'written', 'cleared', 'returned')),
  return_code integer,
  file_name text references direct_entry.files,
  accepted_at timestamptz not null,
  changed_at timestamptz not null,
  check ((state = 'accepted') = (file_name is null)),
  check ((state = 'returned') = (return_code is not null))
);
create index entries_waiting on direct_entry.entries (kind, due_on, reference) where state = 'accepted';
create index entries_by_file on direct_entry.entries (file_name) where state = 'written';
create index entries_by_change on direct_entry.entries (changed_at, reference);
create index entries_by_acceptance on direct_entry.entries (accepted_at, reference);

-- A bank's file of returns is read once, known by its hash.
create table direct_entry.returns_files (
  content_hash text primary key,
  name text not null,
  returned integer not null,
  problems jsonb not null,
  read_at timestamptz not null
);
