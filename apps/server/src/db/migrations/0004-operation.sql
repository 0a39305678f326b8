-- What the program needs to run: its clock, its timetable, its inbox of notifications.

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

create table notifications (
  provider text not null,
  id text not null,
  body jsonb not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  primary key (provider, id)
);
create index notifications_open on notifications (received_at) where handled_at is null;
