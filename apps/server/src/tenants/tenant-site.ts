import type { Tenant, Tenants } from './load-tenants.ts';

/**
 * The tenant key in a host name (docs/rules.md#tenant-of-a-host). `provider-domain`: the first label of a host of three or more labels
 * under the provider's domain. `product-host`: the first label of the product's own host name. Else `default`.
 */
export function tenantKeyOf(host: string, rule: 'provider-domain' | 'product-host', productDomain: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const labels = name.split('.');
  const [first] = labels;
  if (!first) return 'default';
  if (rule === 'product-host') return name === productDomain ? first : 'default';
  return labels.length >= 3 && name.endsWith(`.${productDomain}`) ? first : 'default';
}

export interface SiteOptions {
  productUrl: string;
  productDomain: string;
  tenantRule: 'provider-domain' | 'product-host';
}

/** Hosts of tenants. */
export interface Sites {
  /** The address of a tenant's pages; the product's own for the default tenant and for one that is not known. */
  siteOf(tenantKey: string): URL;
  /** The address of a brand, also of one that was just saved and is not followed yet. */
  addressOf(tenantKey: string): URL;
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
  const addressOf = (tenantKey: string): URL => {
    if (tenantKey === 'default') return new URL(productUrl);
    const own =
      tenantRule === 'product-host' ? productDomain.replace(/^[^.]+/, tenantKey) : `${tenantKey}.${productDomain}`;
    return at(own);
  };
  const siteOf = (tenantKey: string): URL => addressOf(tenants.byKey(tenantKey) ? tenantKey : 'default');
  return {
    siteOf,
    addressOf,
    isOurs: (host) => {
      const all = [new URL(productUrl), at(productDomain), ...tenants.list().map(({ key }) => siteOf(key))];
      return all.some((site) => site.host === host.toLowerCase());
    },
  };
}

/** A brand's icon, whole or to be cut to any shape around the middle. */
export const iconPath = ({ key }: Pick<Tenant, 'key'>, size: 180 | 192 | 512, purpose: 'any' | 'maskable'): string =>
  `/share/${key}/icon-${purpose === 'maskable' ? 'maskable-' : ''}${size}.png`;

/** A brand's wide logo as emails show it, beside the mark of a club that is not the brand's own. */
export const mailLogoPath = ({ key }: Pick<Tenant, 'key'>, slug?: string): string =>
  `/share/${key}/mail-logo${slug === undefined ? '' : `-${slug}`}.png`;
