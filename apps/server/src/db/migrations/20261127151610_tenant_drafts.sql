-- Brands as somebody edits them, kept an hour for their preview (docs/decisions/0138-brands-in-the-console.md).
create table tenant_drafts (
  operator_id uuid not null references operators,
  tenant_key text not null,
  id uuid not null default gen_random_uuid() unique, -- opens the preview; another one with each change
  settings jsonb not null,
  kept_at timestamptz not null default now(),
  primary key (operator_id, tenant_key)
);
