-- The amount for which an unusual run stopped, and the most that operators have confirmed of a run.
alter table debit_runs
  add column anomaly_cents bigint,
  add column confirmed_cents bigint;
