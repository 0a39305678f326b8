-- Days are closed first, then summed in every bucket, then rolled up once: the last of them that was.
alter table closed_days add column rolled_up_until date;
-- safe: the table has one row
update closed_days set rolled_up_until = closed_until;
