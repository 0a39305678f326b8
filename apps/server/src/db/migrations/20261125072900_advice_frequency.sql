-- How often a club is mailed its remittance advices, and which of them wait for the next mail (docs/decisions/0116).
-- safe: one remittance a club and banking day
create type advice_frequency as enum ('each_payout', 'weekly', 'monthly');
alter table clubs add column advice_frequency advice_frequency not null default 'each_payout';
alter table remittances add column advice_mailed_at timestamptz; -- when its advice was queued as a mail
update remittances set advice_mailed_at = made_at from remittance_advices advice
where advice.remittance_id = remittances.id and email is not null;
