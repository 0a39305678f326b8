-- Keeps the screen's words under which somebody asked to be debited, once for each wording: evidence for claims years later.
create table direct_debit_texts (
  hash text primary key, -- SHA-256 of the content, in hex
  version text not null,
  content text not null,
  kept_at timestamptz not null
);
create trigger direct_debit_texts_append_only before update or delete on direct_debit_texts
  for each statement execute function refuse_change();
create trigger direct_debit_texts_never_emptied before truncate on direct_debit_texts
  for each statement execute function refuse_change();

-- Null where the authority is from before texts were kept.
alter table debit_authorities add column text_hash text references direct_debit_texts;
