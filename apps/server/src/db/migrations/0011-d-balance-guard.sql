-- The balance guard (docs/decisions/0023): below which balance a supporter's debits wait, and what became of those that did.
alter table supporters add column balance_floor_cents integer not null default 5000
  check (balance_floor_cents in (0, 5000, 10000, 20000)); -- 0: the balance is not looked at

alter table debits
  add column waited_because text check (waited_because in ('below floor', 'below debit', 'not readable')),
  add column waits smallint not null default 0 check (waits >= 0), -- how many runs its own part has waited
  -- Of repeats_cents: what it gave back when it waited, to be asked for by the next run beside it. What is left of its
  -- amount is its own part.
  add column released_cents bigint not null default 0,
  add check ((state = 'waited') = (waited_because is not null)),
  add check (released_cents between 0 and repeats_cents and released_cents <= amount_cents);

drop index debits_to_repeat;
create index debits_to_repeat on debits (supporter_id)
  where state in ('returned', 'refused', 'waited') and repeated_by is null and dropped_on is null;
