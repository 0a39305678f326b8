-- A club that is retired takes no gifts from a day on; a link that was changed leads to the new one.
alter table clubs add column ends_on date;

create table club_slugs (
  slug text primary key,
  club_id uuid not null references clubs,
  replaced_at timestamptz not null default now()
);

create function keep_former_slug() returns trigger language plpgsql as $$
begin
  delete from club_slugs where slug = new.slug;
  insert into club_slugs (slug, club_id) values (old.slug, new.id)
  on conflict (slug) do update set club_id = excluded.club_id, replaced_at = excluded.replaced_at;
  return null;
end $$;
create trigger clubs_keep_former_slug after update of slug on clubs for each row
  when (new.slug is distinct from old.slug) execute function keep_former_slug();
