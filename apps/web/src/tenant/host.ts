import type { BrowserConfig } from '@sparechange/contract';

export type TenantRule = BrowserConfig['tenantRule'];

/**
 * The key of the tenant that a host name stands for (spec section 1).
 *
 * `provider-domain` is reading (a): the first label of a host with three or more labels under the provider's domain.
 * `product-host` is reading (b): the first label of the product's own host name, which is the domain or a host under it.
 */
export function hostTenant(host: string, rule: TenantRule, domain: string): string {
  const name = hostName(host);
  const labels = name.split('.');
  const first = labels[0] ?? '';
  const isUnder = name.endsWith(`.${hostName(domain)}`);
  if (!/^[a-z0-9-]+$/.test(first)) return 'default';
  if (rule === 'provider-domain') return isUnder && labels.length >= 3 ? first : 'default';
  return isUnder || name === hostName(domain) ? first : 'default';
}

/** Lower case, without port and closing dot. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/** The host on which a tenant is at home; the port of the present host is kept. */
export function tenantHost(key: string, rule: TenantRule, domain: string, present: string): string {
  const port = /:\d+$/.exec(present)?.[0] ?? '';
  const isBare = key === 'default' || hostTenant(domain, rule, domain) === key;
  return `${isBare ? hostName(domain) : `${key}.${hostName(domain)}`}${port}`;
}
