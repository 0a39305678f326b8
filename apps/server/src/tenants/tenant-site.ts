import type { Tenants } from './load-tenants.ts';

export interface SiteOptions {
  productUrl: string;
  productDomain: string;
  tenantRule: 'provider-domain' | 'product-host';
}

/** Where tenants are at home. */
export interface Sites {
  /** The address of a tenant's pages; the product's own for the default tenant and for one that is not known. */
  siteOf(tenantKey: string): URL;
  /** Returns whether `host:port` is the product's or a known tenant's. */
  isOurs(host: string): boolean;
}

/**
 * The counterpart of `tenantKeyOf`: a tenant's host is its key before the provider's domain, or in place of the first
 * label of the product's own host name; protocol and port are the product's.
 */
export function tenantSites({ productUrl, productDomain, tenantRule }: SiteOptions, tenants: Tenants): Sites {
  const at = (name: string): URL => {
    const site = new URL(productUrl);
    site.hostname = name;
    return site;
  };
  const siteOf = (tenantKey: string): URL => {
    if (tenantKey === 'default' || !tenants.byKey(tenantKey)) return new URL(productUrl);
    const own =
      tenantRule === 'product-host' ? productDomain.replace(/^[^.]+/, tenantKey) : `${tenantKey}.${productDomain}`;
    return at(own);
  };
  return {
    siteOf,
    isOurs: (host) => {
      const all = [new URL(productUrl), at(productDomain), ...tenants.list().map(({ key }) => siteOf(key))];
      return all.some((site) => site.host === host.toLowerCase());
    },
  };
}
