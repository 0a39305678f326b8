-- What a run asked for, kept beside it: an odd one is told by the last runs, and nobody adds up their debits for that.
alter table debit_runs
  add column debits bigint not null default 0,
  add column cents bigint not null default 0,
  add column finished_at timestamptz, -- when all that was planned had been handed to the provider
  add column is_odd boolean not null default false; -- why it halted: it was far above the usual, not the provider's word

update debit_runs set finished_at = planned_at;
update debit_runs run set debits = sum.debits, cents = sum.cents
from (select run_date, count(*) as debits, sum(amount_cents)::bigint as cents from debits where kind = 'round-up' group by 1) sum
where sum.run_date = run.run_date;

-- Tenants whose supporters are not debited for now, an operator's stop switch; the audit log has its history.
create table stopped_tenants (
  tenant_key text primary key,
  stopped_at timestamptz not null,
  because text not null
);

-- What an operator has to know of, each once: said in the log when it is raised, and mailed where there is an address.
create table alarms (
  name text not null,
  about text not null,
  sentence text not null,
  raised_at timestamptz not null,
  mailed_at timestamptz,
  primary key (name, about)
);
create index alarms_to_mail on alarms (raised_at) where mailed_at is null;
