-- What a balance was at the end of a day that is over: a nightly audit adds the entries since and reads none of before.
alter table ledger_balances
  add column closed_cents bigint not null default 0,
  add column closed_until date; -- the same for all balances of a supporter that moved since; null where none was closed

-- An audit that closed no balances, as one of the version before, is not gone on from.
alter table book_checks add column closed_until date;

-- Returns an entry's cents as they change its account's balance.
create function on_own_side(account ledger_account, cents bigint) returns bigint language sql immutable parallel safe
  return case when account in ('pledged', 'in_flight', 'cash', 'savings_recoverable', 'receivable_from_payer') then cents else -cents end;

-- Sums that the audit compares. An audit of some days puts views of these days in front of them (docs/decisions/0104).
create view booked_balances as select supporter_id, account, cents from ledger_balances;
create view recorded_cents as
  select supporter_id, counted_cents as cents from round_ups
  union all select supporter_id, counted_cents from bank_data_deletions;
create view debit_ranges as
  select supporter_id, id, first_seq, last_seq from debits where first_seq is not null;

-- Tables as they are, also in an audit of some days.
create view whole_journal as select supporter_id, account, cents, booked_on from ledger_entries;
create view issued_receipts as select supporter_id, seq, number from receipts;
