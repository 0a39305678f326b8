-- Statements of the trust account, the provider's settlements, and the checks of the books against them.

create table bank_statements (
  id uuid primary key default uuidv7(),
  account text not null, -- masked
  file_hash text not null unique,
  lines integer not null,
  opening_cents bigint,
  closing_cents bigint,
  imported_at timestamptz not null
);

-- Lines of the statements, and what each was matched with (docs/decisions/0042).
create table bank_statement_lines (
  account text not null,
  line_id text not null, -- the bank's own, else made of the line's text and its place among equal lines of its day
  booked_on date not null,
  cents bigint not null check (cents <> 0), -- as the bank says: positive is money that came in
  reference text, -- one of ours, where the line names it
  description text not null, -- account numbers masked
  imported_at timestamptz not null,
  matched_kind text check (matched_kind in ('settlement', 'payout', 'payout_returned', 'claim', 'by_hand')),
  matched_with text, -- the day of a settlement, the reference of a payment, the account chosen by hand
  matched_at timestamptz,
  primary key (account, line_id),
  check ((matched_kind is null) = (matched_at is null) and (matched_kind is null) = (matched_with is null))
);
create index bank_statement_lines_open on bank_statement_lines (booked_on) where matched_kind is null;
-- A payment explains one line of each kind, and a day's settlement one line.
create unique index bank_statement_lines_matched_once on bank_statement_lines (matched_kind, matched_with)
  where matched_kind <> 'by_hand';

-- Settlements of each day as the provider lists them; the fullest list of a day stays.
create table provider_settlements (
  settled_on date not null,
  batch text not null default '', -- a file, where the provider settles by file
  payments integer not null,
  cents bigint not null,
  read_at timestamptz not null,
  primary key (settled_on, batch)
);

-- Results of the nightly audit and reconciliation (docs/decisions/0041).
create table book_checks (
  kind text not null check (kind in ('nightly_audit', 'full_audit', 'reconciliation')),
  started_at timestamptz not null,
  took_ms integer not null,
  covered_until date, -- of an audit: the last closed day it looked at
  found bigint not null, -- violations, or payments that differ
  left_out bigint not null default 0, -- supporters that a bounded audit did not reach
  resume_after uuid, -- where the next one goes on
  primary key (kind, started_at)
);
