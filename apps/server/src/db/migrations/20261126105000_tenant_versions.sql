-- Settings of tenants, and the redirects between them, as they were saved; the newest version counts
-- (docs/decisions/0128-tenants-in-the-database.md).
create type tenant_version_origin as enum ('file', 'edit', 'restore');

create table tenant_versions (
  tenant_key text not null, -- the name of the file; 'redirects' is no tenant's
  version integer not null check (version > 0),
  settings jsonb not null,
  origin tenant_version_origin not null,
  saved_at timestamptz not null,
  saved_by text, -- null: taken from a file
  primary key (tenant_key, version)
);
create trigger tenant_versions_append_only before update or delete on tenant_versions
  for each statement execute function refuse_change();
create trigger tenant_versions_never_emptied before truncate on tenant_versions
  for each statement execute function refuse_change();
