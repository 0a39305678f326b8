-- The product connects as a role that owns nothing append-only (docs/decisions/0061). Links and heads of the audit chain
-- are written by the owner's function alone; the job queues keep their own tables in a schema that the product owns.

alter function chain_audit_log() security definer;
alter function chain_audit_log() set search_path = public, pg_temp;

create schema if not exists pgboss;
