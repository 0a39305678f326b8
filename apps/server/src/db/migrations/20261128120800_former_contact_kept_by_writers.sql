-- contracts 20261127162100_first_contact_kept.sql: whoever changes a club's contact keeps the former one, dated by the
-- product's clock; the trigger overwrote that with the database's own.
drop trigger if exists clubs_keep_former_contact on clubs;
drop function keep_former_contact();
