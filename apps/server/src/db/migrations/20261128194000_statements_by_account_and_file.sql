-- The hash of a statement is that of its account and file: one file may be imported for two accounts. The version before writes
-- that of the file alone, and knows a file of before this as a new one, whose lines it knows.

-- safe: it has a row for each import, some hundreds a year
update bank_statements set file_hash = encode(sha256(convert_to(account || ' ' || file_hash, 'UTF8')), 'hex');
