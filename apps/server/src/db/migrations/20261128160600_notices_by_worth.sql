-- How often a supporter who has not chosen is mailed about debits is decided each week by what they usually give. Whoever was
-- registered before keeps what they have, as if chosen.
alter table supporters add column debit_notices_by_worth boolean not null default false;
