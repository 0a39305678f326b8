-- outside a transaction: debits and receipts are large
drop index concurrently if exists debits_represented;
create index concurrently debits_represented on debits (supporter_id, represented_by) where represented_by is not null;
drop index concurrently if exists receipts_by_issue;
create index concurrently receipts_by_issue on receipts using brin (issued_at);
