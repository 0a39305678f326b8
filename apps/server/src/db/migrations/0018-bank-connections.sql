-- How the banks' own permissions for the tracked accounts stand, beside the consent (docs/decisions/0037): when the first of
-- them ends, and on which day it was noticed that one had ended.
alter table supporters
  add column connection_ends_at timestamptz,
  add column connection_ended_on date;
