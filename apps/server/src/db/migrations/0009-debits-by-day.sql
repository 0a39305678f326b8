-- Debits are inserted in the order of their run's day, so an index of block ranges finds the last runs at next to no cost:
-- the metrics count their states.
create index debits_by_run_date on debits using brin (run_date) with (pages_per_range = 32);
