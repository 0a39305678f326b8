-- Why a notification could not be handled the last time.
alter table notifications add column failure text; -- null: not tried yet, or not since this column was there
