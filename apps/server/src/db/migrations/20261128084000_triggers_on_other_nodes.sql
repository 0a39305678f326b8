-- contracts 20261122000200_audit.sql: link_audit_entry of a row was called by the trigger below alone.
-- Functions of buckets run on a node that has neither the caller's search path nor the row types of their tables
-- (docs/decisions/0144-citus.md): they name columns, and know where to look.

-- Returns the hash of an entry, its place and the hash before, as audit_hash did, which the version before still calls.
create function audit_entry_hash(previous bytea, seq bigint, supporter uuid, entry uuid, at timestamptz, actor text,
  action text, details jsonb) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(encode(previous, 'hex'), seq, supporter, entry,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor, action, details)::text, 'UTF8'))
$$;

create function link_audit_entry(supporter uuid, entry uuid, at timestamptz, actor text, action text, details jsonb)
returns void language plpgsql as $$
declare
  head audit_heads;
begin
  insert into audit_heads values (supporter, 0, '') on conflict do nothing;
  select * into strict head from audit_heads where supporter_id = supporter for update;
  insert into audit_links
  values (supporter, head.seq + 1, entry, head.hash,
    audit_entry_hash(head.hash, head.seq + 1, supporter, entry, at, actor, action, details))
  returning hash into head.hash;
  update audit_heads set seq = seq + 1, hash = head.hash where supporter_id = supporter;
end $$;

create or replace function chain_audit_log() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform link_audit_entry(new.supporter_id, new.id, new.at, new.actor, new.action, new.details);
  return null;
end $$;

drop function link_audit_entry(audit_log);

alter function debit_within(uuid, bigint) set search_path = public, pg_temp;

-- What was posted is summed by itself: only the trigger's own statements know it.
create or replace function keep_balances() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  ids uuid[];
  accounts ledger_account[];
  amounts bigint[];
  below record;
begin
  select array_agg(summed.supporter_id), array_agg(summed.account), array_agg(summed.cents) into ids, accounts, amounts
  from (
    select supporter_id, account, sum(case
      when account::text in ('pledged', 'in_flight', 'cash', 'savings_recoverable', 'receivable_from_payer') then cents
      else -cents end) as cents
    from posted group by supporter_id, account
    order by supporter_id, account
  ) summed;
  with kept as (
    insert into ledger_balances as balance (supporter_id, account, cents)
    select * from unnest(ids, accounts, amounts)
    on conflict (supporter_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.supporter_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account <> 'club_payable' limit 1;
  if found then
    raise exception '% of % would fall below zero, to % cents', below.account, below.supporter_id, below.cents;
  end if;
  return null;
end $$;

create or replace function keep_club_balances() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  ids uuid[];
  kinds club_account[];
  amounts bigint[];
  below record;
begin
  select array_agg(summed.club_id), array_agg(summed.account), array_agg(summed.cents) into ids, kinds, amounts
  from (
    select club_id, account, sum(case when account::text in ('collected', 'adjusted') then cents else -cents end) as cents
    from posted group by club_id, account
    order by club_id, account
  ) summed;
  with kept as (
    insert into club_balances as balance (club_id, account, cents)
    select * from unnest(ids, kinds, amounts)
    on conflict (club_id, account) do update set cents = balance.cents + excluded.cents
    returning balance.club_id, balance.account, balance.cents
  )
  select * into below from kept where cents < 0 and account::text in ('in_transit', 'remitted', 'reserved') limit 1;
  if found then
    raise exception '% of club % would fall below zero, to % cents', below.account, below.club_id, below.cents;
  end if;
  return null;
end $$;
