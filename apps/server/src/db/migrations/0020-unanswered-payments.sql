-- A payment whose fate at the provider is unknown stays 'submitting' and holds up nobody else's (docs/decisions/0040): it
-- is asked for again with a growing pause, and parked after a day until an operator has looked.
alter table debits
  add column attempts integer not null default 0 check (attempts >= 0), -- inconclusive answers so far
  add column unknown_since timestamptz, -- the first of them
  add column next_attempt_at timestamptz, -- null while it was never answered: at once
  add column parked_at timestamptz,
  add column last_answer text;
alter table deposits
  add column attempts integer not null default 0 check (attempts >= 0),
  add column unknown_since timestamptz,
  add column next_attempt_at timestamptz,
  add column parked_at timestamptz,
  add column last_answer text;
alter table remittances
  add column attempts integer not null default 0 check (attempts >= 0),
  add column unknown_since timestamptz,
  add column next_attempt_at timestamptz,
  add column parked_at timestamptz,
  add column last_answer text;

create index debits_unanswered on debits (next_attempt_at nulls first) where state = 'submitting';
create index deposits_unanswered on deposits (next_attempt_at nulls first) where state = 'submitting';
create index remittances_unanswered on remittances (next_attempt_at nulls first) where state = 'submitting';

-- A submission pages through what is planned by this key, so that no batch reads what an earlier one has passed.
drop index debits_to_submit;
create index debits_planned on debits (run_date, supporter_id, id) where state = 'planned';
