-- An operator's word that an odd run may be planned holds for that run, whoever plans it again: the timetable tries what it
-- could not do once more each minute, and would halt again what was just confirmed (docs/decisions/0030).
alter table debit_runs add column confirmed_at timestamptz;
