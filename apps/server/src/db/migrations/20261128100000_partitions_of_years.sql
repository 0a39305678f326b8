-- Partitions of years (docs/decisions/0149-partitions-of-years.md). A table is divided by a UUIDv7, whose first 48 bits are its
-- time; what is older than the first partition, or was made at random, stays in the default partition.

-- Returns the least UUIDv7 of a year, which begins at midnight UTC.
create function first_uuid_of(year integer) returns uuid language sql stable as $$
  select (lpad(to_hex((extract(epoch from make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid
$$;

-- Returns the year whose partition is made next: one that begins in a month at the earliest, as a year that has rows in
-- the default partition gets none.
create function year_to_prepare() returns integer language sql stable as $$
  select extract(year from now() at time zone 'UTC' + interval '31 days')::integer + 1
$$;

-- Makes the partition of a year in two calls, each in a transaction of its own, and says what it did: "guarded", then "made",
-- and "there" ever after. The guard keeps rows of the year out of the default partition, so that reading all of it, which takes
-- long, needs no lock that others wait for; the guard is gone once the partition is there. Rows of the year that
-- the default partition has, whose UUIDs are random, are moved meanwhile. A guard whose year has come too near is given up.
create function make_partition(parent regclass, key text, year integer) returns text language plpgsql as $$
declare
  space text := (select relnamespace::regnamespace::text from pg_class where oid = parent);
  name text := (select relname from pg_class where oid = parent);
  partition text := format('%s.%I', space, name || '_' || year);
  rest text := format('%s.%I', space, name || '_default');
  guard text := 'none_of_' || year;
  elsewhere text := format('%1$I < %2$L or %1$I >= %3$L', key, first_uuid_of(year), first_uuid_of(year + 1));
  outdated text;
begin
  for outdated in select conname from pg_constraint
    where conrelid = rest::regclass and conname ~ '^none_of_\d+$' and conname <> guard
  loop
    execute format('alter table %s drop constraint %I', rest, outdated);
  end loop;
  if to_regclass(partition) is not null then
    execute format('analyze only %s', parent); -- which nothing does by itself for a table of partitions
    return 'there';
  end if;
  if not exists (select from pg_constraint where conrelid = rest::regclass and conname = guard) then
    execute format('alter table %s add constraint %I check (%s) not valid', rest, guard, elsewhere);
    return 'guarded';
  end if;
  execute format('create table %s (like %s including defaults including constraints)', partition, parent);
  execute format('with moved as (delete from %s where not (%s) returning *) insert into %s select * from moved',
    rest, elsewhere, partition);
  execute format('alter table %s validate constraint %I', rest, guard);
  execute format('alter table %s attach partition %s for values from (%L) to (%L)',
    parent, partition, first_uuid_of(year), first_uuid_of(year + 1));
  execute format('alter table %s drop constraint %I', rest, guard);
  return 'made';
end $$;
