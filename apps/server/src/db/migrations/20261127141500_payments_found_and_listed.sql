-- outside a transaction: debits and deposits are large
-- People find a payment by what stands on a bank statement, and list payments by the time of their planning.
drop index concurrently if exists debits_by_reference;
create index concurrently debits_by_reference on debits (reference text_pattern_ops);
drop index concurrently if exists deposits_by_reference;
create index concurrently deposits_by_reference on deposits (reference text_pattern_ops);
drop index concurrently if exists repayments_by_reference;
create index concurrently repayments_by_reference on repayments (reference text_pattern_ops);
drop index concurrently if exists remittances_by_reference;
create index concurrently remittances_by_reference on remittances (reference text_pattern_ops);
drop index concurrently if exists debits_newest;
create index concurrently debits_newest on debits (planned_at desc, id desc);
drop index concurrently if exists deposits_newest;
create index concurrently deposits_newest on deposits (planned_at desc, id desc);
drop index concurrently if exists remittances_newest;
create index concurrently remittances_newest on remittances (planned_at desc, id desc);
-- The few that failed are not looked for among all others.
drop index concurrently if exists debits_failed_newest;
create index concurrently debits_failed_newest on debits (planned_at desc, id desc)
  where state in ('returned', 'reversed', 'refused', 'deferred');
drop index concurrently if exists deposits_failed_newest;
create index concurrently deposits_failed_newest on deposits (planned_at desc, id desc)
  where state in ('returned', 'reversed', 'refused');
