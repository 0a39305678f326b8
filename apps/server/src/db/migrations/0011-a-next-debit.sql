-- The next debit, known ahead: runs that a supporter skips, and the reference that will stand on their bank statement.

create table debit_skips (
  supporter_id uuid not null references supporters,
  run_date date not null,
  skipped_at timestamptz not null,
  primary key (supporter_id, run_date)
);
create index debit_skips_by_run on debit_skips (run_date, supporter_id); -- a run asks for its own only

-- A supporter has one round-up debit a run, so its reference can be told before there is a debit: 18 letters and digits
-- derived from the two. Debits planned before this have the one of their id, as one-off donations do.
create function debit_reference(supporter uuid, run date) returns text language sql immutable as $$
  select 'RU' || upper(left(encode(sha256(uuid_send(supporter) || date_send(run)), 'hex'), 16))
$$;
