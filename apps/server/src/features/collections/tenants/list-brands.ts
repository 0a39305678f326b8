import type { TenantState, TenantSummary } from '@sparechange/contract/console';
import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { listSuspendedTenants } from '#features/collections/debits/suspended-tenants.ts';
import { type Clock, today } from '#ports/clock.ts';
import { hasEnded, parseTenant, redirectsKey, type Tenant } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { listNewestVersions } from '#tenants/version-repository.ts';

/** Returns a brand's state: suspended debits come before the end of a campaign. */
export function stateOf(tenant: Tenant | undefined, isSuspended: boolean, day: IsoDate): TenantState {
  if (isSuspended) return 'halted';
  return tenant && hasEnded(tenant, day) ? 'ended' : 'live';
}

interface BrandDeps {
  db: Db;
  clock: Clock;
  sites: Sites;
}

/** Lists every brand by its key; a version that this release cannot read is left out. */
export async function listBrands({ db, clock, sites }: BrandDeps): Promise<TenantSummary[]> {
  const day = today(clock);
  const suspended = new Set((await listSuspendedTenants(db)).map(({ tenant }) => tenant));
  const versions = await listNewestVersions(db);
  const brands = versions.flatMap((version) => {
    const tenant = version.key === redirectsKey ? undefined : parseTenant(version);
    if (!tenant) return [];
    const { key, name, theme, endsOn, logoURLDashboard } = tenant;
    return {
      id: key,
      name,
      state: stateOf(tenant, suspended.has(key), day),
      endsOn: endsOn ?? null,
      address: sites.addressOf(key).href,
      mark: logoURLDashboard,
      colours: [theme.primary, theme.background, theme.secondary],
      version: version.version,
      savedAt: version.savedAt.toISOString(),
    };
  });
  return brands.sort((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
}
