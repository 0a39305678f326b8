-- The public page of each club, by import; nothing of it is needed to give.
alter table clubs
  add column about text,
  add column suburb text,
  add column sport text,
  add column logo text, -- a file of tenants/logos
  add column picture text; -- a file of tenants/pictures

-- What everybody may see of a club and the clubs under it, counted when days are closed. Fewer than five supporters have
-- no row, so that no figure is ever one person's.
create table club_figures (
  club_id uuid primary key references clubs,
  raised_cents bigint not null,
  supporters integer not null check (supporters >= 5)
);
