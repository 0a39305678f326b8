-- An import can be taken back while nothing of it was matched by hand: its lines go, and their entries are reversed, as the
-- ledger is never edited. The version before leaves the columns empty, and what it imports cannot be taken back.

alter type platform_transfer_kind add value 'statement_line_taken_back';

alter table bank_statement_lines
  add column statements uuid[], -- imported statements that hold the line, the one that booked it first
  add column booked_as text; -- source of its entries, where those of its account and id were reversed before

alter table bank_statements add column added integer; -- lines that it booked; null where it cannot be taken back
