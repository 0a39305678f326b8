-- The audit log: every change of a supporter's money settings and every operator command.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: a correction is a new row', tg_table_name;
end $$;

create table audit_log (
  supporter_id uuid not null, -- zeros where no supporter is concerned
  id uuid not null default uuidv7(),
  at timestamptz not null,
  actor text not null,
  action text not null,
  details jsonb not null default '{}',
  primary key (supporter_id, id)
);

-- Hash chains that reveal a row changed, removed or inserted later (docs/decisions/0022): one a supporter, zeros being
-- the operators'. Links are apart from their rows and made at commit, so that a chain's head is the last lock taken.
create table audit_links (
  supporter_id uuid not null,
  seq bigint not null check (seq > 0), -- 1, 2, 3 ... in a chain
  id uuid not null, -- the row of audit_log
  previous bytea not null, -- the hash of the link before, empty for the first
  hash bytea not null,
  primary key (supporter_id, seq),
  unique (supporter_id, id)
);

-- The end of each chain, which reveals what was cut off. A mark is an HMAC of how far a chain goes and the hash there,
-- under a key that the database never sees (docs/decisions/0072).
create table audit_heads (
  supporter_id uuid primary key,
  seq bigint not null,
  hash bytea not null,
  marked_seq bigint not null default 0, -- how far the mark reaches; 0 before the first one
  mark bytea not null default '',
  is_marked boolean generated always as (marked_seq = seq) stored
);
create index audit_heads_unmarked on audit_heads (supporter_id) where not is_marked;

-- Keyed sums of all marks.
create table audit_checkpoints (
  number bigint primary key check (number > 0),
  made_at timestamptz not null, -- by the product's clock
  chains bigint not null, -- that have a mark
  entries bigint not null, -- that marks cover
  marks_sum bytea not null, -- of all marks, modulo 2^256
  is_complete boolean not null, -- no chain with news was left for the next pass
  accepted_because text, -- an operator's reason for beginning anew; null otherwise
  mac bytea not null -- keyed, of all of the above and the mac before
);

-- Returns the hash of an entry, its place and the hash before, as one JSON text. jsonb writes equal values equally; the
-- instant is written in UTC, whatever the session's time zone.
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

-- Links as the owner: the product's role can only read links and heads (docs/decisions/0055).
create function chain_audit_log() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform link_audit_entry(new);
  return null;
end $$;

-- Marks chains as the owner, locking heads in the order in which links are made.
create function mark_audit_chains(ids uuid[], seqs bigint[], hex_marks text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from audit_heads where supporter_id = any (ids) order by supporter_id for update;
  update audit_heads head set marked_seq = made.seq, mark = decode(made.mark, 'hex')
  from unnest(ids, seqs, hex_marks) as made (id, seq, mark) where head.supporter_id = made.id;
end $$;

-- A statement that writes rows of many supporters orders them by supporter_id: heads are locked in that order.
create constraint trigger audit_log_chained after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_log();
create trigger audit_log_append_only before update or delete on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_links_append_only before update or delete on audit_links
  for each statement execute function refuse_change();
create trigger audit_links_never_emptied before truncate on audit_links
  for each statement execute function refuse_change();
create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each statement execute function refuse_change();
create trigger audit_checkpoints_never_emptied before truncate on audit_checkpoints
  for each statement execute function refuse_change();
create trigger audit_heads_kept before delete or truncate on audit_heads
  for each statement execute function refuse_change();
-- A head moves forward by one link, or its mark over existing links; back only where an operator accepts less.
create trigger audit_heads_forward before update on audit_heads for each row
  when (not (new.supporter_id = old.supporter_id and (
    (new.seq = old.seq + 1 and new.marked_seq = old.marked_seq and new.mark = old.mark)
    or (new.seq = old.seq and new.hash = old.hash and new.marked_seq between least(old.marked_seq, new.seq) and new.seq))))
  execute function refuse_change();
