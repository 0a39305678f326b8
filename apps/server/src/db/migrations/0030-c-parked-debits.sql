-- Nobody with a parked debit is debited again until an operator has decided about it (docs/decisions/0074).
create index debits_parked on debits (supporter_id) where state = 'submitting' and parked_at is not null;

-- Parked says that a payment is being submitted and asked for no more; what has been decided is not parked any more.
update debits set parked_at = null where parked_at is not null and state <> 'submitting';
update deposits set parked_at = null where parked_at is not null and state <> 'submitting';
update remittances set parked_at = null where parked_at is not null and state <> 'submitting';
