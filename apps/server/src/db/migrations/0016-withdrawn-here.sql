-- Since when the supporter's withdrawal waits for the provider to end the consent there too (docs/decisions/0029). What
-- was given up to then is not active, whatever the provider says; a day does not tell it from one given later that day.
alter table supporters add column consent_revoking_since timestamptz;
create index supporters_revoking on supporters (supporter_id) where consent_revoking_since is not null;
