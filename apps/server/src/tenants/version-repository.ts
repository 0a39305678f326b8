import { type AuditEntry, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import type { Settings } from './load-tenants.ts';

export type VersionOrigin = 'file' | 'edit' | 'restore';

/** Settings as they were saved once. */
export interface Version extends Settings {
  version: number;
  origin: VersionOrigin;
  savedAt: Date;
  /** Null where taken from a file. */
  savedBy: string | null;
}

/** Versions that are looked at, of each tenant. */
export const maxVersions = 100;

/** The channel that announces a change to every process. */
export const tenantsChannel = 'tenants';

/** Lists every tenant's last versions, or one's, newest first. */
export function listVersions(db: Db, key?: string): Promise<Version[]> {
  return db<Version[]>`
    select tenant_key as key, version, settings as content, origin, saved_at as "savedAt", saved_by as "savedBy"
    from (select *, row_number() over (partition by tenant_key order by version desc) as place from tenant_versions) last
    where place <= ${maxVersions} and (${key ?? null}::text is null or tenant_key = ${key ?? null})
    order by tenant_key, version desc`;
}

/** Lists every tenant's and the redirects' newest version, by key. */
export const listNewestVersions = (db: Db) => db<Version[]>`
  select distinct on (tenant_key collate "C") tenant_key as key, version, settings as content, origin, saved_at as "savedAt",
    saved_by as "savedBy"
  from tenant_versions order by tenant_key collate "C", version desc`;

/** Returns a number that every change raises. */
export async function countVersions(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from tenant_versions`;
  return row?.count ?? 0;
}

/** Makes writers take turns until the transaction ends. */
export const lockVersions = (tx: Db) => tx`select pg_advisory_xact_lock(hashtext('sparechange.tenants'))`;

interface Change {
  saved: Settings[];
  origin: VersionOrigin;
  by: string | null;
  at: Date;
  /** Recorded in the audit log. */
  entry: Pick<AuditEntry, 'action' | 'details'>;
}

/** Appends the next version of each of these settings, says so in the audit log and announces it. */
export async function appendVersions(tx: Db, { saved, origin, by, at, entry }: Change): Promise<void> {
  for (const { key, content } of saved)
    await tx`
      insert into tenant_versions (tenant_key, version, settings, origin, saved_at, saved_by)
      select ${key}, coalesce(max(version), 0) + 1, ${tx.json(content)}, ${origin}::tenant_version_origin, ${at}, ${by}
      from tenant_versions where tenant_key = ${key}`;
  await appendOperatorsAct(tx, { at, ...entry });
  await tx`select pg_notify(${tenantsChannel}, '')`;
}
