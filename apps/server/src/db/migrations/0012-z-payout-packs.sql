-- What a club is told of each deposit (docs/decisions/0026), and the outbox that mails it: one row a remittance.
create table payout_packs (
  remittance_id uuid primary key references remittances,
  club_id uuid not null references clubs,
  facts jsonb not null, -- what it says; CSV and PDF are drawn of it, the same each time
  made_at timestamptz not null,
  email text, -- the club's address when it was made; without one it is kept and not mailed
  attempts integer not null default 0,
  due_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  check (sent_at is null or given_up_at is null)
);
create index payout_packs_due on payout_packs (due_at)
  where email is not null and sent_at is null and given_up_at is null;
create trigger payout_packs_kept before update of remittance_id, club_id, facts, made_at or delete on payout_packs
  for each statement execute function refuse_change();
create trigger payout_packs_never_emptied before truncate on payout_packs
  for each statement execute function refuse_change();
