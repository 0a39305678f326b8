-- Both rules of a round-up, called by the statement that records it and by every estimate
-- (docs/rules.md#spare-change, docs/rules.md#weekly-limit). A later rule is a later migration.
create function round_up(cents bigint, step bigint) returns bigint language sql immutable parallel safe
  return (step - cents % step) % step;

-- `used` is what already counts of the week; a limit of 0 is none.
create function counted_within_limit(raw bigint, used bigint, week_limit bigint) returns bigint language sql immutable parallel safe
  return case when week_limit = 0 then raw else greatest(0, least(raw, week_limit - used)) end;
