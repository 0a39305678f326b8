-- The audit log is chained by hashes, so that a row changed, removed or slipped in afterwards is noticed (docs/decisions/0022).
-- One chain a supporter, zeros being the operators': nobody waits for anybody else's, and each is whole on one node.
-- Links are apart from the rows they vouch for, and made when a transaction commits: the lock of a chain's head is then
-- the last one it takes, and whatever else it holds, no two can wait for each other.

create table audit_links (
  supporter_id uuid not null,
  seq bigint not null check (seq > 0), -- 1, 2, 3 ... in a chain
  id uuid not null, -- the row of audit_log
  previous bytea not null, -- the hash of the link before, empty for the first
  hash bytea not null,
  primary key (supporter_id, seq),
  unique (supporter_id, id)
);

-- Where each chain ends: what was cut off its tail is missed here.
create table audit_heads (
  supporter_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

-- What a link's hash is of: everything the row says, its place and the hash before, as one JSON text. jsonb writes equal
-- values equally; the instant is written in UTC, whatever the session's time zone.
create function audit_hash(previous bytea, seq bigint, entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(encode(previous, 'hex'), seq, entry.supporter_id, entry.id,
    to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor, entry.action, entry.details)::text, 'UTF8'))
$$;

create function link_audit_entry(entry audit_log) returns void language plpgsql as $$
declare
  head audit_heads;
begin
  insert into audit_heads values (entry.supporter_id, 0, '') on conflict do nothing;
  select * into strict head from audit_heads where supporter_id = entry.supporter_id for update;
  insert into audit_links
  values (entry.supporter_id, head.seq + 1, entry.id, head.hash, audit_hash(head.hash, head.seq + 1, entry))
  returning hash into head.hash;
  update audit_heads set seq = seq + 1, hash = head.hash where supporter_id = entry.supporter_id;
end $$;

create function chain_audit_log() returns trigger language plpgsql as $$
begin
  perform link_audit_entry(new);
  return null;
end $$;

-- Whoever writes rows of many supporters in one statement orders them by supporter_id: heads are locked in that order.
create constraint trigger audit_log_chained after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_log();

-- What was written before there were chains.
do $$
declare
  entry audit_log;
begin
  for entry in select * from audit_log order by supporter_id, at, id loop
    perform link_audit_entry(entry);
  end loop;
end $$;

create trigger audit_links_append_only before update or delete on audit_links
  for each statement execute function refuse_change();
create trigger audit_links_never_emptied before truncate on audit_links
  for each statement execute function refuse_change();
create trigger audit_heads_kept before delete or truncate on audit_heads
  for each statement execute function refuse_change();
create trigger audit_heads_forward before update on audit_heads
  for each row when (new.seq <> old.seq + 1 or new.supporter_id <> old.supporter_id) execute function refuse_change();
