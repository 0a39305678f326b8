-- outside a transaction: debits and mails are written while these are built
-- The donations of each minute's submission, and the mail that asks first whether the mail server is back.
drop index concurrently if exists debits_planned_donations;
create index concurrently debits_planned_donations on debits (run_date, supporter_id, id)
  where state = 'planned' and kind = 'donation';
drop index concurrently if exists mails_longest_due;
create index concurrently mails_longest_due on mails (due_at, id) where sent_at is null and given_up_at is null;
