-- The nightly audit and reconciliation (docs/decisions/0047): what each looked at, and found.

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

-- Rows are added in the order of these times, so a block range index finds the last days and costs next to nothing.
create index debits_by_planning on debits using brin (planned_at) with (pages_per_range = 32, autosummarize = on);
create index deposits_by_planning on deposits using brin (planned_at) with (pages_per_range = 32, autosummarize = on);
