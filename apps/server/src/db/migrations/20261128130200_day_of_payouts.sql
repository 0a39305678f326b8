-- The banking day on which the provider is asked to pay a remittance, later than its run where it was parked, and the day of
-- payment that clubs read. Null: not sent yet, or sent before this column was there.
alter table remittances add column due_on date,
  add column paid_on date generated always as (coalesce(due_on, run_date)) virtual;
