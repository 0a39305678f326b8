-- When the product was first to follow a change: one that it has not followed for an hour excuses nothing.
alter table identity.address_changes add column noted_at timestamptz;
alter table identity.address_changes alter column noted_at set default now();
