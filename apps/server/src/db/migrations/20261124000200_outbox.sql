-- Mails that protect an account go before an evening's notices; a mail in hand is held by the machine's clock as well,
-- because the product's may be moved (ops advance).

alter table mails
  add column is_urgent boolean not null default false,
  add column taken_until timestamptz;
