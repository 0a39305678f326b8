-- Keyed hashes of the number of a statement's account, of its last five digits up to the whole of it, which tell it from another
-- with the same last four. The version before leaves them out, and so do statements that name no number; those are compared by
-- the masked one.
alter table bank_statements add column account_hashes text[];
