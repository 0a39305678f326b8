-- What the balances of a statement say about the lines kept, asked before any of its lines is booked.

alter table bank_statements
  add column opens_on date, -- where a CSV file's column of balances begins; no line stands for its opening balance
  add column difference_cents bigint not null default 0; -- closing balance less the lines, accepted with the import

-- safe: imports alone write to the table, one a day, and wait for it
create index bank_statement_lines_by_day on bank_statement_lines (account, booked_on);
-- A payment looks for its line, and a settlement for its, among thousands that nothing explains.
-- safe: likewise
create index bank_statement_lines_open_references on bank_statement_lines (reference)
  where matched_kind is null and reference is not null;
-- safe: likewise
create index bank_statement_lines_open_amounts on bank_statement_lines (cents, booked_on)
  where matched_kind is null and reference is null;
