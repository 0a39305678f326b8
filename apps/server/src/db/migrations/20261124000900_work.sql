-- Work that any worker may claim, one row a supporter and kind, instead of passes that one program made over everybody
-- (docs/decisions/0099). The version before still writes bank_passes and bank_pass_failures; a later release drops them.

create table supporter_work (
  supporter_id uuid not null references supporters,
  kind text not null check (kind in ('sync', 'consent_poll')),
  due_at timestamptz not null, -- the pass, or the news, that asks for it
  next_try_at timestamptz, -- null: nothing to do until it is due again
  claimed_until timestamptz, -- by a worker, which may have ended
  tries integer not null default 0, -- failed ones since it last succeeded
  failing_since timestamptz,
  parked_at timestamptz, -- failing for a day: tried with each pass only
  last_error text,
  done_at timestamptz, -- when it last succeeded
  primary key (supporter_id, kind)
) with (fillfactor = 70);
create index supporter_work_due on supporter_work (next_try_at, supporter_id, kind) where next_try_at is not null;
create index supporter_work_failing on supporter_work (kind, failing_since) where tries > 0;
create index supporter_work_recent on supporter_work (kind, due_at);

-- Providers that answer nobody: nothing is claimed for them until then, and one row a worker from then on.
create table provider_breakers (
  provider text primary key,
  opened_at timestamptz not null,
  open_until timestamptz not null,
  times integer not null -- in a row
);
