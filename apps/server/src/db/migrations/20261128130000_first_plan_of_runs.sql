-- A run that is made once more is released anew: when it was first planned is kept apart.
alter table debit_runs add column first_planned_at timestamptz; -- null: never planned, or released once before this column was there
