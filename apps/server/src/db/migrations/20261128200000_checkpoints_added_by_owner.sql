-- Adds a checkpoint as the owner, who marks its chains: on Citus two roles cannot write to one bucket in a transaction. The
-- product's role may insert it besides, as the version before does.
create function add_audit_checkpoint(number bigint, made_at timestamptz, chains bigint, entries bigint, marks_sum bytea,
  is_complete boolean, accepted_because text, mac bytea) returns void language sql
security definer set search_path = public, pg_temp as $$
  insert into audit_checkpoints (number, made_at, chains, entries, marks_sum, is_complete, accepted_because, mac)
  values (number, made_at, chains, entries, marks_sum, is_complete, accepted_because, mac)
$$;
