-- Whether a supporter wants a mail the evening before each debit.
alter table supporters add column debit_mails boolean not null default true;
