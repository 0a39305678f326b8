-- outside a transaction: supporters register while this is built
-- The console's list of supporters, the newest first.
drop index concurrently if exists supporters_by_registration;
create index concurrently supporters_by_registration on supporters (registered_at, supporter_id);
