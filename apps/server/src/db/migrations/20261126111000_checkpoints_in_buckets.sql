-- Each bucket has checkpoints of its own chains (docs/decisions/0123-books-over-servers.md).
create table if not exists audit_checkpoints (
  number bigint primary key check (number > 0),
  made_at timestamptz not null, -- by the product's clock
  chains bigint not null, -- that have a mark
  entries bigint not null, -- that marks cover
  marks_sum bytea not null, -- of all marks, modulo 2^256
  is_complete boolean not null, -- no chain with news was left for the next pass
  accepted_because text, -- an operator's reason for beginning anew; null otherwise
  mac bytea not null -- keyed, of all of the above and the mac before
);
create or replace trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each statement execute function refuse_change();
create or replace trigger audit_checkpoints_never_emptied before truncate on audit_checkpoints
  for each statement execute function refuse_change();
