-- One outbox for supporters, clubs and operators (docs/decisions/0094).

alter table mails
  drop constraint mails_pkey,
  add column id bigint generated always as identity primary key,
  add column recipient text not null default 'supporter' check (recipient in ('supporter', 'club', 'operator')),
  alter column supporter_id drop not null;
alter table mails
  add check ((recipient = 'supporter') = (supporter_id is not null)),
  add constraint mails_queued_once unique nulls not distinct (supporter_id, key);

insert into mails (recipient, key, facts, queued_at, attempts, due_at, sent_at, given_up_at, failure)
select 'club', 'remittance_advice ' || remittance_id,
  jsonb_build_object('kind', 'remittance_advice', 'remittanceId', remittance_id),
  made_at, attempts, due_at, sent_at, given_up_at, failure
from remittance_advices where email is not null;

insert into mails (recipient, key, facts, queued_at, due_at, sent_at)
select 'operator', 'alarm ' || name || ' ' || about,
  jsonb_build_object('kind', 'alarm', 'name', name, 'sentence', sentence), raised_at, raised_at, mailed_at
from alarms;

-- Few mails go to clubs and operators; they go before those of a whole evening to supporters.
drop index mails_due;
create index mails_due on mails (recipient, due_at, id) where sent_at is null and given_up_at is null;
create index mails_given_up on mails (given_up_at) where given_up_at is not null;

drop trigger remittance_advices_kept on remittance_advices;
alter table remittance_advices
  drop column attempts, drop column due_at, drop column sent_at, drop column given_up_at, drop column failure;
create trigger remittance_advices_kept before update or delete on remittance_advices
  for each statement execute function refuse_change();

alter table alarms drop column mailed_at;

-- One row while the mail server is unavailable: mails are not taken before ask_again_at.
create table mail_outages (
  singleton boolean primary key default true check (singleton),
  since timestamptz not null,
  ask_again_at timestamptz not null,
  failure text not null
);
