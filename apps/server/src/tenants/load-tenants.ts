import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TenantSettings } from '@sparechange/contract';
import type { IsoDate } from '@sparechange/domain';
import { z } from 'zod';

export type Tenant = TenantSettings & { key: string };

export interface Tenants {
  list(): Tenant[];
  byKey(key: string): Tenant | undefined;
  /** Returns the tenant of both headers; undefined if they disagree. */
  byKeys(apikey: unknown, tenant: unknown): Tenant | undefined;
}

/** Text that is not JSON is wrong like a setting that is missing: it is reported with all the others. */
const SettingsFile = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      context.addIssue(`not JSON: ${(error as Error).message}`);
      return z.NEVER;
    }
  })
  .pipe(TenantSettings);

/** Reads every `tenants/<key>.json`; throws an error naming all wrong files. */
export async function loadTenants(folder: string): Promise<Tenants> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== 'redirects.json');
  const problems: string[] = [];
  const tenants: Tenant[] = [];
  for (const name of names.sort()) {
    const settings = SettingsFile.safeParse(await readFile(join(folder, name), 'utf8'));
    if (settings.success) tenants.push({ ...settings.data, key: name.replace(/\.json$/, '') });
    else
      problems.push(
        ...settings.error.issues.map(({ path, message }) =>
          [name, path.join('.'), message].filter((part) => part !== '').join(': '),
        ),
      );
  }
  const byApikey = new Map(tenants.map((tenant) => [tenant.apikey, tenant]));
  if (byApikey.size !== tenants.length) problems.push('two tenants share one apikey');
  if (!tenants.some((tenant) => tenant.key === 'default')) problems.push('default.json is missing');
  if (problems.length > 0) throw new Error(`The tenants cannot be used:\n${problems.join('\n')}`);
  return {
    list: () => tenants,
    byKey: (key) => tenants.find((tenant) => tenant.key === key),
    byKeys: (apikey, tenant) => {
      const found = typeof apikey === 'string' ? byApikey.get(apikey) : undefined;
      return found?.tenant === tenant ? found : undefined;
    },
  };
}

/** Returns a tenant, or the default one if the key is nobody's. */
export function tenantOrDefault(tenants: Tenants, key: string): Tenant {
  const tenant = tenants.byKey(key) ?? tenants.byKey('default');
  if (!tenant) throw new Error('There is no default tenant.');
  return tenant;
}

/** The hyphen form of a tenant's identifier (docs/rules.md#two-spellings-of-a-tenant). */
export const tenantA = (tenant: Tenant): string => tenant.tenant.replaceAll('_', '-');

/** Returns whether the campaign is over on that day (docs/rules.md#end-of-a-campaign). */
export const hasEnded = (tenant: Tenant, day: IsoDate): boolean => tenant.endsOn !== undefined && day >= tenant.endsOn;

/** Returns true for the brand of one club, where nobody chooses (docs/rules.md#own-brands). */
export const isOfOneClub = ({ key, clubID, parentClubId }: Tenant, mainTenant: string): boolean =>
  clubID !== undefined && parentClubId === undefined && key !== 'default' && key !== mainTenant;
