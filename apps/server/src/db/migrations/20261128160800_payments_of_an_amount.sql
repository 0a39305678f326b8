-- outside a transaction: debits and deposits are large
-- People find a payment by its amount alone, on whatever day it was.
drop index concurrently if exists debits_of_amount;
create index concurrently debits_of_amount on debits (amount_cents, planned_at desc, id desc);
drop index concurrently if exists deposits_of_amount;
create index concurrently deposits_of_amount on deposits (amount_cents, planned_at desc, id desc);
drop index concurrently if exists repayments_of_amount;
create index concurrently repayments_of_amount on repayments (amount_cents, planned_at desc, id desc);
drop index concurrently if exists remittances_of_amount;
create index concurrently remittances_of_amount on remittances (amount_cents, planned_at desc, id desc);
