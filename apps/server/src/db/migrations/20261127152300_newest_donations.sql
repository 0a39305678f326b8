-- outside a transaction: debits is large
-- One-off donations are few, and not looked for among all debits.
drop index concurrently if exists debits_donations_newest;
create index concurrently debits_donations_newest on debits (planned_at desc, id desc) where kind = 'donation';
