-- How many have given to a club, counted when days are closed. For the organisation alone: what everybody may see is in
-- club_figures, which leaves small clubs out.
create table club_supporters (
  club_id uuid primary key references clubs,
  supporters integer not null check (supporters > 0)
);
