-- Entries are divided by the time of their source. The present table is attached as it is; its indexes become parts of
-- those of the whole. All is done in one transaction: whoever asks for ledger_entries meanwhile finds the whole.
alter table ledger_entries rename to ledger_entries_default;
alter index ledger_entries_pkey rename to ledger_entries_default_pkey;
alter index ledger_entries_by_day rename to ledger_entries_default_by_day;
alter index ledger_club_by_day rename to ledger_club_default_by_day;
alter index ledger_set_aside_by_day rename to ledger_set_aside_default_by_day;

-- Triggers of statements stand on the whole, the only one that the product may write to.
drop trigger ledger_append_only on ledger_entries_default;
drop trigger ledger_never_emptied on ledger_entries_default;
drop trigger ledger_balances_kept on ledger_entries_default;

create table ledger_entries (
  supporter_id uuid not null,
  kind transfer_kind not null,
  source uuid not null,
  account ledger_account not null,
  cents bigint not null constraint ledger_entries_cents_check check (cents <> 0),
  club_id uuid not null,
  booked_on date not null,
  primary key (supporter_id, kind, source, account)
) partition by range (source);
create index ledger_entries_by_day on ledger_entries using brin (booked_on) with (pages_per_range = 32, autosummarize = on);
create index ledger_club_by_day on ledger_entries (booked_on, club_id) where account = 'club_payable';
create index ledger_set_aside_by_day on ledger_entries (booked_on, supporter_id) where account = 'savings_payable';
create trigger ledger_append_only before update or delete on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_balances_kept after insert on ledger_entries
  referencing new table as posted for each statement execute function keep_balances();
alter table ledger_entries attach partition ledger_entries_default default;

-- Rights are given on the whole and taken from the part.
do $$
declare
  held record;
begin
  for held in
    select privilege_type as kind, case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as role
    from pg_class, aclexplode(relacl) where oid = 'ledger_entries_default'::regclass and grantee <> relowner
  loop
    execute format('grant %s on ledger_entries to %s', held.kind, held.role);
    execute format('revoke %s on ledger_entries_default from %s', held.kind, held.role);
  end loop;
end $$;

-- Views keep to the table that they were made with.
create or replace view whole_journal as select supporter_id, account, cents, booked_on from ledger_entries;
create or replace view gift_entries as
  select entry.supporter_id, entry.club_id, entry.booked_on, entry.kind::text as kind, entry.source,
    coalesce(repayment.debit_id, entry.source) as debit_id, -entry.cents as cents,
    case
      when repayment.id is not null then repayment.savings_cents * sign(-entry.cents)::integer
      when entry.kind = 'reversed' then coalesce((select sum(claimed.savings_cents)::bigint from repayments claimed
        where claimed.supporter_id = debit.supporter_id and claimed.debit_id = debit.id and claimed.debit_claimed), 0) - debit.savings_cents
      else debit.savings_cents
    end as savings_cents,
    debit.kind as debit_kind
  from ledger_entries entry
  left join repayments repayment on repayment.supporter_id = entry.supporter_id and repayment.id = entry.source
  join debits debit on debit.supporter_id = entry.supporter_id and debit.id = coalesce(repayment.debit_id, entry.source)
  where entry.account = 'club_payable';

-- Makes the partition of the next year as the owner: the product's role makes no tables. Twice, each in a transaction of its own.
create function make_ledger_partition() returns text language sql
security definer set search_path = public, pg_temp as $$
  select make_partition('ledger_entries'::regclass, 'source', year_to_prepare())
$$;
