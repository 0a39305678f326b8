-- A notification sent again under another id is the same by what was signed, where the id itself is not.
alter table notifications add column signed_hash text;
create unique index notifications_signed on notifications (provider, signed_hash);
