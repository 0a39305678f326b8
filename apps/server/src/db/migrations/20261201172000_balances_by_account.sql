-- The side of an account is asked once for its sum, and not for each entry: PostgreSQL does not inline the function, whose
-- calls took most of the time in which an import books its lines.
create or replace function keep_platform_balances() returns trigger language plpgsql as $$
begin
  insert into platform_balances as balance (account, club_id, cents)
  select account, club_id, case when is_platform_asset(account) then sum(cents) else -sum(cents) end
  from posted group by account, club_id order by account, club_id
  on conflict (account, club_id) do update set cents = balance.cents + excluded.cents;
  return null;
end $$;
