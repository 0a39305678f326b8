-- Events for programs, and their deliveries (docs/decisions/0131).

create table webhook_endpoints (
  id uuid primary key,
  url text not null,
  types text[] not null check (cardinality(types) > 0),
  club_id uuid references clubs, -- events of this club and those under it; null: all events
  secret_encrypted bytea not null,
  former_secret_encrypted bytea, -- before it was rotated: signs as well until
  former_until timestamptz,
  created_at timestamptz not null,
  removed_at timestamptz,
  check ((former_secret_encrypted is null) = (former_until is null))
);

create table webhook_events (
  id uuid primary key default uuidv7(),
  type text not null,
  about text not null, -- recorded once for each type
  club_id uuid references clubs,
  data jsonb not null,
  at timestamptz not null,
  unique (type, about)
);
create index webhook_events_by_age on webhook_events using brin (at);

create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints,
  event_id uuid not null references webhook_events on delete cascade,
  since timestamptz not null, -- the event, or its replay: tried for three days from then on
  due_at timestamptz, -- null: delivered, parked, or its endpoint was removed
  taken_until timestamptz, -- by a worker, which may have ended
  attempts integer not null default 0,
  delivered_at timestamptz,
  parked_at timestamptz,
  primary key (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_of_events on webhook_deliveries (event_id);
create index webhook_deliveries_parked on webhook_deliveries (parked_at) where parked_at is not null;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  status integer, -- null: there was no answer
  duration_ms integer not null,
  answer text not null, -- its beginning, or why there was none
  foreign key (endpoint_id, event_id) references webhook_deliveries on delete cascade
);
create index webhook_attempts_of_deliveries on webhook_attempts (endpoint_id, event_id);
