-- Finds what is old enough to be deleted. A BRIN index costs next to nothing, as these tables grow in order of time.
create index mails_by_age on mails using brin (queued_at);
create index notifications_by_age on notifications using brin (received_at);
