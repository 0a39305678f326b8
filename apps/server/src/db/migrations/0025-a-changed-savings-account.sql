-- A savings account that replaces another one receives nothing before this day; null where it is the first one.
alter table savings_accounts add column receives_from date;
