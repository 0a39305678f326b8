-- outside a transaction: debits and deposits are large

-- Audits and the audit log name payments by their ids, which operators look up.
drop index concurrently if exists debits_by_id;
create index concurrently debits_by_id on debits (id);
drop index concurrently if exists deposits_by_id;
create index concurrently deposits_by_id on deposits (id);
drop index concurrently if exists repayments_by_id;
create index concurrently repayments_by_id on repayments (id);
-- Runs of which most balances could not be read are looked for each minute.
drop index concurrently if exists debits_not_read;
create index concurrently debits_not_read on debits (run_date) where deferred_because = 'not readable';
