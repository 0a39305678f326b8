-- The amount for which an unusual run stopped, and the most that operators have confirmed of a run.
alter table debit_runs
  add column anomaly_cents bigint check (anomaly_cents >= 0),
  add column confirmed_cents bigint check (confirmed_cents >= 0);
