-- What the program needs to run: its clock, its timetable, its inbox of notifications, its outbox of mail.

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

create table mails (
  supporter_id uuid not null, -- zeros where no supporter is concerned
  key text not null, -- what it is about: each is sent once
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  queued_at timestamptz not null,
  sent_at timestamptz,
  attempts integer not null default 0,
  problem text,
  primary key (supporter_id, key)
);
create index mails_to_send on mails (queued_at) where sent_at is null and problem is null;
