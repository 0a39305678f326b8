-- Refusals by their cause, and mandates that end at the bank or the provider.

alter table debits add column refusal_cause text
  check (refusal_cause in ('mandate_cancelled', 'above_ceiling', 'account_invalid', 'not_permitted', 'other')); -- the provider's; null otherwise
create index debits_refused on debits (run_date, refusal_cause) where refusal_cause is not null;

-- Why the account takes no more debits until the supporter chooses one again.
alter table accounts add column unusable_because text check (unusable_because in ('returned', 'mandate_cancelled'));
update accounts set unusable_because = 'returned' where unusable_since is not null;

-- Notifications and the daily poll name a mandate by the provider's reference.
create index debit_authorities_by_mandate on debit_authorities (mandate_ref) where mandate_ref is not null and cancelled_at is null;
