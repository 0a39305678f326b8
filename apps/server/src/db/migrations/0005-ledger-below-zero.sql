-- A check constraint is tested on the row an upsert proposes, before it meets the row it adds to: a debit that took
-- 145 out of 145 pledged was refused as a balance of -145. The trigger that keeps the balances checks their sum instead.
alter table ledger_balances drop constraint ledger_balances_check;

create or replace function keep_balances() returns trigger language plpgsql as $$
declare
  below record;
begin
  with kept as (
    insert into ledger_balances as balance (supporter_id, account, cents)
    select supporter_id, account,
      sum(case when account in ('pledged', 'in_flight', 'cash') then cents else -cents end)
    from posted group by supporter_id, account
    order by supporter_id, account
    on conflict (supporter_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.supporter_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account <> 'club_payable' limit 1;
  if found then
    raise exception '% of % would fall below zero, to % cents', below.account, below.supporter_id, below.cents;
  end if;
  return null;
end $$;

-- Emptying a table is a change as well.
create trigger ledger_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();
