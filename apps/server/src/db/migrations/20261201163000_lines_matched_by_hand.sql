-- outside a transaction: lines are many

-- The list of imports, asked for again while one is under way, counts the few lines of each that a person has matched.
drop index concurrently if exists bank_statement_lines_by_hand;
create index concurrently bank_statement_lines_by_hand on bank_statement_lines (statements) where matched_kind = 'by_hand';
