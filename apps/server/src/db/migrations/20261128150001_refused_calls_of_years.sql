-- safe: the default partition has its index, and the first partition of a year, made ahead of it, has no rows yet
create index audit_log_refusals on audit_log (supporter_id) where details ? 'call';
