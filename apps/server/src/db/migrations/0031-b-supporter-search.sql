-- An operator finds a supporter by name or mobile number (docs/decisions/0076).
create index supporters_by_last_name on supporters (lower(last_name) text_pattern_ops);
create index supporters_by_first_name on supporters (lower(first_name) text_pattern_ops);
create index supporters_by_mobile on supporters (right(regexp_replace(mobile, '\D', '', 'g'), 9));
