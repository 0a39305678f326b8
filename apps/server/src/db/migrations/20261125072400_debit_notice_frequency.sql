-- How often a supporter is mailed about debits, while debit_notices_enabled (docs/decisions/0116).
create type debit_notice_frequency as enum ('each_debit', 'weekly', 'unusual');
alter table supporters add column debit_notice_frequency debit_notice_frequency not null default 'each_debit';
