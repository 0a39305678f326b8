-- Needs of the running program: clock, timetable, notifications, limits, alarms and queues.

create table product_clock (
  singleton boolean primary key default true check (singleton),
  offset_ms bigint not null default 0
);
insert into product_clock default values;

create table timetable_runs (
  task text not null,
  due_at timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (task, due_at)
);

-- Webhooks of providers, kept until they are applied.
create table notifications (
  provider text not null,
  id text not null,
  signed_hash text, -- of what was signed, where the id is not: the same sent again under another id
  body jsonb not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  primary key (provider, id)
);
create index notifications_open on notifications (received_at) where handled_at is null;
create unique index notifications_signed on notifications (provider, signed_hash);

-- How far the provider's outcomes were read.
create table poll_cursors (
  name text primary key,
  read_until timestamptz not null
);

-- Token buckets that are not full, shared by all servers. Unlogged: after a crash every bucket is full, and no limit
-- costs a write to the log.
create unlogged table rate_limits (
  key text primary key, -- a hash: a limit needs no names and no addresses
  drained_at timestamptz not null -- when the bucket is full again
);

-- What an operator has to look at, each once: logged when it is raised, and mailed where there is an address.
create table alarms (
  name text not null,
  about text not null,
  sentence text not null,
  raised_at timestamptz not null,
  mailed_at timestamptz,
  primary key (name, about)
);
create index alarms_to_mail on alarms (raised_at) where mailed_at is null;

-- The job queues' tables, which pg-boss migrates itself under the product's role (docs/decisions/0055).
create schema pgboss;
