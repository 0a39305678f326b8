-- outside a transaction: lines are many

-- Open lines are matched in pages of their order, each found by where the one before it ended: in the index of days alone, a
-- page read all lines of its day. Nothing looks for a line by its reference any more, but by its key.
drop index concurrently if exists bank_statement_lines_open_in_order;
create index concurrently bank_statement_lines_open_in_order on bank_statement_lines (booked_on, line_id, account)
  where matched_kind is null and reference is not null;
drop index concurrently if exists bank_statement_lines_open_references;
