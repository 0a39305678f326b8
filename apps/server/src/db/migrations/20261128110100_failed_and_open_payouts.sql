-- outside a transaction: deposits are large

-- Deposits that failed lately are looked for each minute, and payouts without an outcome by each poll.
drop index concurrently if exists deposits_failed;
create index concurrently deposits_failed on deposits (outcome_at) where state in ('returned', 'reversed', 'refused');
drop index concurrently if exists deposits_open;
create index concurrently deposits_open on deposits (submitting_at) where state in ('submitting', 'submitted');
drop index concurrently if exists repayments_open;
create index concurrently repayments_open on repayments (submitting_at) where state in ('submitting', 'submitted');
drop index concurrently if exists remittances_open;
create index concurrently remittances_open on remittances (submitting_at) where state in ('submitting', 'submitted');
