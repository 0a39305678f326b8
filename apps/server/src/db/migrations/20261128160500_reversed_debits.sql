-- outside a transaction: the index of a large table is built while debits go on

-- What the bank took back from a supporter is read by every dashboard and mail about debits.
drop index concurrently if exists debits_reversed;
create index concurrently debits_reversed on debits (supporter_id) where state = 'reversed';
