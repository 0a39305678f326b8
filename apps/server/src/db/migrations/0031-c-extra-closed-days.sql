-- Days on which banks do not settle, beside the list that the product comes with (docs/decisions/0077).
create table extra_closed_days (
  day date primary key,
  reason text not null,
  added_at timestamptz not null
);
