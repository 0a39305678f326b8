-- contracts 20261122000200_audit.sql: audit_hash takes a row of the whole from here on, of which the log's present table is a part.
-- The audit log is divided by the time of an entry's id, as ledger_entries is by that of its source.
alter table audit_log rename to audit_log_default;
alter index audit_log_pkey rename to audit_log_default_pkey;

-- The trigger of rows comes back with the whole's.
drop trigger audit_log_chained on audit_log_default;
drop trigger audit_log_append_only on audit_log_default;
drop trigger audit_log_never_emptied on audit_log_default;

create table audit_log (
  supporter_id uuid not null, -- zeros where no supporter is concerned
  id uuid not null default uuidv7(),
  at timestamptz not null,
  actor text not null,
  action text not null,
  details jsonb not null default '{}',
  primary key (supporter_id, id)
) partition by range (id);
create constraint trigger audit_log_chained after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_log();
create trigger audit_log_append_only before update or delete on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();
alter table audit_log attach partition audit_log_default default;

do $$
declare
  held record;
begin
  for held in
    select privilege_type as kind, case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as role
    from pg_class, aclexplode(relacl) where oid = 'audit_log_default'::regclass and grantee <> relowner
  loop
    execute format('grant %s on audit_log to %s', held.kind, held.role);
    execute format('revoke %s on audit_log_default from %s', held.kind, held.role);
  end loop;
end $$;

drop function audit_hash(bytea, bigint, audit_log_default);
create function audit_hash(previous bytea, seq bigint, entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(encode(previous, 'hex'), seq, entry.supporter_id, entry.id,
    to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor, entry.action, entry.details)::text, 'UTF8'))
$$;

-- Makes the partition of the next year, as make_ledger_partition does.
create function make_audit_log_partition() returns text language sql
security definer set search_path = public, pg_temp as $$
  select make_partition('audit_log'::regclass, 'id', year_to_prepare())
$$;
