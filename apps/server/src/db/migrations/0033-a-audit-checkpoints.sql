-- Keyed checkpoints over the chains of the audit log (docs/decisions/0080). A mark is an HMAC, under a key that the
-- database never sees, of how far a chain goes and the hash there; a checkpoint adds up all marks.

alter table audit_heads
  add column marked_seq bigint not null default 0, -- so far the mark reaches; 0 before the first one
  add column mark bytea not null default '',
  add column is_marked boolean generated always as (marked_seq = seq) stored;
create index audit_heads_unmarked on audit_heads (supporter_id) where not is_marked;

-- A head moves forward by one link, or its mark over links that are there; back only where an operator accepts less.
drop trigger audit_heads_forward on audit_heads;
create trigger audit_heads_forward before update on audit_heads for each row
  when (not (new.supporter_id = old.supporter_id and (
    (new.seq = old.seq + 1 and new.marked_seq = old.marked_seq and new.mark = old.mark)
    or (new.seq = old.seq and new.hash = old.hash and new.marked_seq between least(old.marked_seq, new.seq) and new.seq))))
  execute function refuse_change();

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
create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each statement execute function refuse_change();
create trigger audit_checkpoints_never_emptied before truncate on audit_checkpoints
  for each statement execute function refuse_change();

-- The product's role can only read heads; they are locked in the order in which links are made.
create function mark_audit_chains(ids uuid[], seqs bigint[], hex_marks text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from audit_heads where supporter_id = any (ids) order by supporter_id for update;
  update audit_heads head set marked_seq = made.seq, mark = decode(made.mark, 'hex')
  from unnest(ids, seqs, hex_marks) as made (id, seq, mark) where head.supporter_id = made.id;
end $$;
