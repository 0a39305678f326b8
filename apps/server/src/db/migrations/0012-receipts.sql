-- Papers for supporters and for clubs' treasurers (docs/decisions/0025 and 0026).

alter table clubs
  -- Since when the club is endorsed as a deductible gift recipient, as the Australian Business Register has it.
  add column dgr_since date,
  add column contact_email text,
  add check (dgr_since is null or abn is not null);

-- Receipts of a month and statements of a financial year, as they were issued: the bytes themselves, for ever.
create table receipts (
  supporter_id uuid not null references supporters,
  seq integer not null check (seq > 0), -- 1, 2, 3 ... a supporter, in the order they were issued
  kind text not null check (kind in ('month', 'year')),
  first_day date not null,
  last_day date not null,
  number text not null,
  total_cents bigint not null, -- what the clubs got, less what was taken back
  deductible_cents bigint not null,
  facts jsonb not null, -- what it says
  pdf bytea not null,
  pdf_sha256 bytea not null,
  issued_at timestamptz not null,
  primary key (supporter_id, seq),
  unique (supporter_id, kind, first_day),
  constraint receipts_hashed check (pdf_sha256 = sha256(pdf)),
  check (last_day > first_day)
);
alter table receipts alter column pdf set storage external; -- compressed already
create trigger receipts_append_only before update or delete on receipts
  for each statement execute function refuse_change();
create trigger receipts_never_emptied before truncate on receipts
  for each statement execute function refuse_change();
