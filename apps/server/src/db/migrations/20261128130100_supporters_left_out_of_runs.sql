-- Supporters with something to debit whom the last plan of a run left out, by reason.
alter table debit_runs add column left_out jsonb; -- null: planned before this column was there
