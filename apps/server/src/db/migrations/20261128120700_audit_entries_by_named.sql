-- outside a transaction: the audit log is large and written to by everything

-- A supporter's download finds the operators' entries that name them. The whole log's index, made next, takes this one in.
drop index concurrently if exists audit_log_default_by_named;
create index concurrently audit_log_default_by_named on audit_log_default
  using gin (regexp_split_to_array(details::text, '[^0-9a-f-]+')) where supporter_id = '00000000-0000-0000-0000-000000000000';
