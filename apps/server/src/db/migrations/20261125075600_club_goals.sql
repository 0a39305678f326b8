-- What a club's page shows beside what was raised: a goal, by import, and the figure of one month.
alter table clubs add column goal_dollars integer;

-- Counted with the other figures; `month` is the first day of the month that it belongs to.
alter table club_figures
  add column month date,
  add column month_cents bigint;
