-- outside a transaction: the audit log is large and written to by everything

-- A search of the audit log looks for its words in the refusals of calls, too. The whole log's index, made next, takes this one in.
drop index concurrently if exists audit_log_default_refusals;
create index concurrently audit_log_default_refusals on audit_log_default (supporter_id) where details ? 'call';
