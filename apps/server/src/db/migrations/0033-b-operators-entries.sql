-- Operators' entries name supporters by reference (docs/decisions/0081). Entries of before held addresses; they are
-- written anew and their chain is linked anew, once, where no keyed checkpoint covers them yet.
do $$
declare
  operators constant uuid := '00000000-0000-0000-0000-000000000000';
  address constant text := '[^\s<>@,;"'']+@[^\s<>@,;"'']+';
  entry audit_log;
  found text;
  reference text;
begin
  if exists (select from audit_checkpoints) or not exists (
    select from audit_log where supporter_id = operators and action like 'ops %' and details::text ~ address) then
    return;
  end if;
  alter table audit_log disable trigger audit_log_append_only;
  alter table audit_links disable trigger audit_links_append_only;
  alter table audit_heads disable trigger audit_heads_forward;
  for entry in select * from audit_log
    where supporter_id = operators and action like 'ops %' and details::text ~ address loop
    for found in select distinct (regexp_matches(entry.details::text, address, 'g'))[1] loop
      select 'supporter ' || supporter_id into reference from supporters where email = lower(found)
      order by closed_on is not null, registered_at limit 1;
      entry.details := replace(entry.details::text, found, coalesce(reference, '(address)'))::jsonb;
    end loop;
    update audit_log set details = entry.details where supporter_id = operators and id = entry.id;
  end loop;
  create temp table order_of_operators on commit drop as
    select seq, id from audit_links where supporter_id = operators;
  delete from audit_links where supporter_id = operators;
  update audit_heads set seq = 0, hash = '' where supporter_id = operators;
  for entry in select log.* from audit_log log join order_of_operators link using (id)
    where log.supporter_id = operators order by link.seq loop
    perform link_audit_entry(entry);
  end loop;
  alter table audit_log enable trigger audit_log_append_only;
  alter table audit_links enable trigger audit_links_append_only;
  alter table audit_heads enable trigger audit_heads_forward;
end $$;
