-- outside a transaction: mails are queued while this is built
-- The console's list of mails by day and kind, the newest first.
drop index concurrently if exists mails_by_day;
create index concurrently mails_by_day on mails (queued_at, id, (facts ->> 'kind'));
drop index concurrently if exists mails_to_others_by_day;
create index concurrently mails_to_others_by_day on mails (queued_at, id) where supporter_id is null;
