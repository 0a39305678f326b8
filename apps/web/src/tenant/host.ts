import type { BrowserConfig } from '@sparechange/contract';

export type TenantRule = BrowserConfig['tenantRule'];

/**
 * Returns the key of a host name's tenant (docs/rules.md#tenant-of-a-host). By `provider-domain`: the first label of a
 * host with three or more labels under the provider's domain. By `product-host`: the first label of the product's own
 * host name, which belongs to one tenant.
 */
export function hostTenant(host: string, rule: TenantRule, domain: string): string {
  const name = hostName(host);
  const labels = name.split('.');
  const first = labels[0] ?? '';
  const isTenant =
    rule === 'provider-domain'
      ? labels.length >= 3 && name.endsWith(`.${hostName(domain)}`)
      : name === hostName(domain);
  return isTenant && /^[a-z0-9-]+$/.test(first) ? first : 'default';
}

/** Lower case, without port and closing dot. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/**
 * Returns a tenant's own host, with the current port: its label under the provider's domain, or in place of the first
 * label of the product's own host name.
 */
export function tenantHost(key: string, rule: TenantRule, domain: string, present: string): string {
  const port = /:\d+$/.exec(present)?.[0] ?? '';
  const own = hostName(domain);
  if (rule === 'product-host') return `${own.replace(/^[^.]+/, key)}${port}`;
  return `${key === 'default' ? own : `${key}.${own}`}${port}`;
}
