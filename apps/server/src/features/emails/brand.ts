import type { Tenant } from '#tenants/load-tenants.ts';
import type { Brand } from './email.ts';

/** A tenant's brand, with addresses that hold outside the page. */
export function brandOf(tenant: Tenant, site: URL): Brand {
  return {
    name: tenant.name,
    tagline: tenant.biline.primary,
    logo: new URL(tenant.logoURL, site),
    primary: tenant.theme.primary,
    accent: tenant.theme.secondary,
    site,
  };
}
