-- contracts 20261124000900_work.sql: work per supporter took the place of passes
drop table bank_passes;
drop table bank_pass_failures;
-- Days are closed bucket by bucket, with the sums added up outside the database.
drop function close_platform_days(date, date);
drop function platform_totals(date, date);
