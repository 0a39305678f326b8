-- Logos and pictures that were uploaded for brands; a version names them by their content's hash, so they never change
-- (docs/decisions/0138-brands-in-the-console.md).
create table tenant_pictures (
  name text primary key,
  content bytea not null check (length(content) <= 300000),
  uploaded_at timestamptz not null default now(),
  uploaded_by uuid not null references operators
);
