-- Records the progress of a pass over everybody's bank link, so that one that is interrupted goes on where it was, and whom the
-- bank link did not answer about (docs/decisions/0052).
create table bank_passes (
  task text primary key check (task in ('sync', 'consent_poll')),
  due_at timestamptz not null,
  began_after uuid not null, -- where the pass before had ended
  reached uuid not null,
  has_wrapped boolean not null default false,
  is_swept boolean not null default false,
  attempted integer not null default 0,
  failed integer not null default 0
);

create table bank_pass_failures (
  supporter_id uuid not null references supporters,
  task text not null check (task in ('sync', 'consent_poll')),
  failed_at timestamptz not null,
  tries integer not null,
  next_try_at timestamptz not null,
  primary key (supporter_id, task)
);
create index bank_pass_failures_due on bank_pass_failures (task, next_try_at);
