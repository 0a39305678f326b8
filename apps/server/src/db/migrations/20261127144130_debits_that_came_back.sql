-- outside a transaction: the index of a large table is built while debits go on

-- What came back today is looked up whenever the console's first page changes.
drop index concurrently if exists debits_came_back;
create index concurrently debits_came_back on debits (outcome_at) where state in ('returned', 'reversed', 'refused');
