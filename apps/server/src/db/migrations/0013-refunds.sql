-- Purchases that were paid back in full: what they had rounded up is taken off the next debit (docs/decisions/0028).
create table refunds (
  supporter_id uuid not null references supporters,
  id uuid not null default uuidv7(),
  round_up_seq bigint not null, -- the purchase
  account_id uuid not null,
  transaction_id text not null, -- the credit
  fingerprint uuid not null, -- of account, day, amount and cleaned text
  occurrence integer not null, -- the how manieth equal refund
  posted_on date not null,
  description text not null,
  cents integer not null check (cents >= 0), -- what of the purchase's round-up had counted
  recorded_at timestamptz not null,
  taken_off_by uuid, -- the debit that was less by it
  primary key (supporter_id, id),
  unique (supporter_id, round_up_seq),
  unique (supporter_id, transaction_id),
  unique (supporter_id, fingerprint, occurrence)
);
create index refunds_to_take_off on refunds (supporter_id) include (cents) where taken_off_by is null and cents > 0;

-- By so much a debit was less than its round-ups and what it repeats.
alter table debits add column refunds_cents bigint not null default 0 check (refunds_cents >= 0);

alter type transfer_kind add value 'refunded';
