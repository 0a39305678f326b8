-- What the file before added holds for the rows from before, too.

alter table operator_challenges validate constraint operator_challenges_purpose_check;
alter table operator_sessions validate constraint operator_sessions_method_check;
