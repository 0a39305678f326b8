import { getStart } from './current.ts';
import { hostTenant, tenantHost } from './host.ts';

/**
 * Returns whether a host, including its port, is ours: the product's own or that of a tenant with settings. A name
 * under our domain without a tenant may be anybody's.
 */
export async function isOurHost(host: string): Promise<boolean> {
  const { tenantRule, productDomain } = getStart().config;
  const present = location.host;
  const isDevelopment = /(^|\.)localhost$/.test(productDomain.replace(/:\d+$/, ''));
  if (isDevelopment && host === tenantHost('default', 'provider-domain', 'localhost', present)) return true;
  const key = hostTenant(host, tenantRule, productDomain);
  if (host !== tenantHost(key, tenantRule, productDomain, present)) return false;
  return key === 'default' || (await fetch(`/tenants/${key}.json`, { signal: AbortSignal.timeout(10_000) })).ok;
}
