import { z } from 'zod';
import { getStart } from './current.ts';
import { tenantHost } from './host.ts';

const key = z.string().regex(/^[a-z0-9-]+$/);
const clubId = z.string();

/** `tenants/redirects.json`: which clubs have a home of their own to continue at (spec section 4). */
export const Redirects = z.object({
  verify: z.record(clubId, key),
  confirmed: z.array(
    z
      .object({ clubId: clubId.optional(), parentClubId: clubId.optional(), tenant: key })
      .refine((rule) => rule.clubId !== undefined || rule.parentClubId !== undefined),
  ),
  consented: z.record(clubId, key),
});
export type Redirects = z.infer<typeof Redirects>;

export async function loadRedirects(): Promise<Redirects> {
  const answer = await fetch('/tenants/redirects.json');
  if (!answer.ok) throw new Error(`The redirects could not be loaded: ${answer.status}`);
  return Redirects.parse(await answer.json());
}

/** The tenant of the first rule of /confirmed that names the club or the club above it. */
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

/** A tenant's own consented page, for a supporter on the way there. */
export function consentedUrl(tenant: string, query: Record<string, string>): URL {
  const { config } = getStart();
  const host = tenantHost(tenant, config.tenantRule, config.productDomain, location.host);
  const url = new URL(`${location.protocol}//${host}/consented`);
  url.search = new URLSearchParams(query).toString();
  return url;
}
