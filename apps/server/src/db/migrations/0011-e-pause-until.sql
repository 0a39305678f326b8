-- The day on which a pause ends by itself, where the supporter chose one.
alter table pauses add column until date, add check (until > paused_on);
create index pauses_to_end on pauses (until) where resumed_on is null and until is not null;
