-- Checks the rows that were there before, without a lock.

alter table bank_statement_lines validate constraint bank_statement_lines_matched_kind_check;
