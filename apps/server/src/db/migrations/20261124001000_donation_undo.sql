-- Until when a one-off donation can be undone and is not submitted; null for every other debit.
alter table debits add column held_until timestamptz;
