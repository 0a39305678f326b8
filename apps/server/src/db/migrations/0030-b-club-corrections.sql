-- Corrections of a club's own balance, and a reserve held back from a club's remittances so that claims after the payout
-- are covered (docs/decisions/0073).

-- adjusted (an asset): what corrections added to the club's balance, or took from it below zero.
-- reserved: the club's, held back from its remittances.
alter type club_account add value 'adjusted';
alter type club_account add value 'reserved';
alter type club_transfer_kind add value 'reserved'; -- with the remittance from whose days it is held back, or that pays it

alter table clubs add column reserve_cents bigint not null default 0 check (reserve_cents >= 0); -- to be held back at most
alter table remittances add column held_back_cents bigint not null default 0; -- of its days; below zero: paid out of the reserve
alter table platform_entries add column reason text; -- of a correction

create or replace function keep_club_balances() returns trigger language plpgsql as $$
declare
  below record;
begin
  with kept as (
    insert into club_balances as balance (club_id, account, cents)
    select club_id, account, sum(case when account::text in ('collected', 'adjusted') then cents else -cents end)
    from posted group by club_id, account
    order by club_id, account
    on conflict (club_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.club_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account::text in ('in_transit', 'remitted', 'reserved') limit 1;
  if found then
    raise exception '% of club % would fall below zero, to % cents', below.account, below.club_id, below.cents;
  end if;
  return null;
end $$;

-- A club's balance at the end of a day, the reserve included: what it is now less what was booked since.
create or replace function club_payable_at(day date) returns table (club_id uuid, cents bigint) language sql stable as $$
  select balance.club_id, (sum(balance.cents) + coalesce((
    select sum(later.cents) from club_entries later
    where later.club_id = balance.club_id and later.account::text in ('payable', 'reserved') and later.booked_on > day), 0))::bigint
  from club_balances balance where balance.account::text in ('payable', 'reserved') group by balance.club_id
$$;
