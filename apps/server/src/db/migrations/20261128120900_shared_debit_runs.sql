-- While a worker leads a debit run, others submit its debits, too.
alter table debit_runs add column shared_since timestamptz; -- null: only its leader submits
