-- outside a transaction: supporters are many

drop index concurrently if exists supporters_by_folded_last_name;
create index concurrently supporters_by_folded_last_name on supporters (folded(last_name) text_pattern_ops);
drop index concurrently if exists supporters_by_folded_first_name;
create index concurrently supporters_by_folded_first_name on supporters (folded(first_name) text_pattern_ops);
