-- outside a transaction: supporters are many

-- Finds an address by its beginning and as a whole, in place of the index of whole ones.
drop index concurrently if exists supporters_by_start_of_email;
create index concurrently supporters_by_start_of_email on supporters (email text_pattern_ops);
drop index concurrently if exists supporters_by_email;
