-- outside a transaction: mails are queued while this index is built
-- The version before orders by mails_due, which a later release drops.

drop index concurrently if exists mails_urgent_first;
create index concurrently mails_urgent_first on mails (is_urgent desc, due_at, id)
  where sent_at is null and given_up_at is null;
