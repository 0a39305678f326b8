-- Emails and documents for supporters.

-- Emails to send, each once: the key says what it is about. Only facts are kept, neither text nor links.
create table mails (
  supporter_id uuid not null references supporters,
  key text not null,
  facts jsonb not null,
  queued_at timestamptz not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  primary key (supporter_id, key),
  check (sent_at is null or given_up_at is null)
);
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;

-- Addresses that get no email for a while, as their server refused one for good.
create table mail_bounces (
  supporter_id uuid not null references supporters,
  email text not null,
  bounced_at timestamptz not null,
  reason text not null,
  primary key (supporter_id, email)
);

-- Receipts of a month and statements of a financial year, kept as they were issued (docs/decisions/0025).
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
  pdf bytea storage external not null, -- compressed already
  pdf_sha256 bytea not null,
  issued_at timestamptz not null,
  primary key (supporter_id, seq),
  unique (supporter_id, kind, first_day),
  constraint receipts_hashed check (pdf_sha256 = sha256(pdf)),
  check (last_day > first_day)
);
create trigger receipts_append_only before update or delete on receipts
  for each statement execute function refuse_change();
create trigger receipts_never_emptied before truncate on receipts
  for each statement execute function refuse_change();
