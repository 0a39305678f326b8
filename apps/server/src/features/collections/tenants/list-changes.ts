import type { TenantVersion } from '@sparechange/contract/console';
import type { Db } from '#db/connect.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import { differencesOf } from '#tenants/current-settings.ts';
import { listVersions, maxVersions } from '#tenants/version-repository.ts';

/** Returns a setting by name, such as `theme.primary`, as text. */
function settingIn(content: unknown, name: string): string | null {
  let value = content;
  for (const part of name.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const personIn = (savedBy: string | null): string | undefined => /^console (\S+)$/.exec(savedBy ?? '')?.[1];

/** Lists the last versions of a tenant, newest first, with authors and changes. */
export async function listChanges(db: Db, key: string): Promise<TenantVersion[]> {
  const versions = await listVersions(db, key);
  const names = await namesOfPeople(db, [...new Set(versions.flatMap(({ savedBy }) => personIn(savedBy) ?? []))]);
  const compared = versions.slice(0, maxVersions - 1); // the version before the last of many was not read
  return compared.map(({ version, origin, savedAt, savedBy, content }, index) => {
    const before = versions[index + 1];
    const changed = before ? differencesOf(before.content, content) : [];
    return {
      version,
      origin,
      savedAt: savedAt.toISOString(),
      savedBy: names.get(personIn(savedBy) ?? '') ?? savedBy,
      changes: changed.map((setting) => ({
        setting,
        before: settingIn(before?.content, setting),
        after: settingIn(content, setting),
      })),
    };
  });
}
