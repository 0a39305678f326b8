-- safe: the default partition has its index, and the first partition of a year, made ahead of it, has no rows yet
create index audit_log_by_named on audit_log
  using gin (regexp_split_to_array(details::text, '[^0-9a-f-]+')) where supporter_id = '00000000-0000-0000-0000-000000000000';
