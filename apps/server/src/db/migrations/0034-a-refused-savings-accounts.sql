-- When a provider or bank refused a deposit because of the linked account; it receives nothing until another one is linked.
alter table savings_accounts add column refused_at timestamptz;
