-- When the supporter's address last followed that of their identity user (docs/decisions/0079).
alter table supporters add column email_changed_at timestamptz;
