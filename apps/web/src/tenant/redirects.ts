import { Redirects } from '@sparechange/contract';
import { getStart } from './current.ts';
import { tenantHost } from './host.ts';

export async function loadRedirects(): Promise<Redirects> {
  const answer = await fetch('/tenants/redirects.json', { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`The redirects could not be loaded: ${answer.status}`);
  return Redirects.parse(await answer.json());
}

/** The tenant of /confirmed's first rule for club or parent. */
export function confirmedTenant(
  rules: Redirects['confirmed'],
  club: { _id: string; parent_club: string | null },
): string | undefined {
  return rules.find(
    (rule) =>
      (rule.clubId !== undefined && rule.clubId === club._id) ||
      (rule.parentClubId !== undefined && rule.parentClubId === club.parent_club),
  )?.tenant;
}

/** Returns a tenant's consented page for a supporter going there. */
export function consentedUrl(tenant: string, query: Record<string, string>): URL {
  const { config } = getStart();
  const host = tenantHost(tenant, config.tenantRule, config.productDomain, location.host);
  const url = new URL(`${location.protocol}//${host}/consented`);
  url.search = new URLSearchParams(query).toString();
  return url;
}
