-- Acts that need two people: asked by one, agreed to or refused by another (docs/decisions/0129-two-people.md).
create type actor_kind as enum ('operating_system', 'console');
create type approval_state as enum ('asked', 'agreed', 'done', 'refused');

create table approvals (
  id uuid primary key default uuidv7(),
  act text not null,
  arguments jsonb not null,
  summary text not null,
  state approval_state not null default 'asked',
  asked_by_kind actor_kind not null,
  asked_by text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by_kind actor_kind,
  decided_by text,
  decided_at timestamptz,
  failure text, -- why it could not be carried out, the last time
  check (state in ('asked', 'refused') or (decided_by_kind, decided_by) is distinct from (asked_by_kind, asked_by)),
  check (state = 'asked' or decided_by is not null)
);
create index approvals_asked on approvals (asked_at);

-- One row once somebody has chosen; until then two people in production and one elsewhere.
create table approval_rule (
  is_only boolean primary key default true check (is_only),
  people smallint not null check (people in (1, 2)),
  chosen_by text not null,
  chosen_at timestamptz not null
);
