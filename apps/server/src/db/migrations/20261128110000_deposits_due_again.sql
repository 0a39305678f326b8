-- The day from which a deposit that failed without a fault of the account may be made again; null until the account changes.
alter table deposits add column retry_on date;
