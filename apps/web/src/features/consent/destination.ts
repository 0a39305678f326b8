import type { Redirects, UserRecord } from '@sparechange/contract';

export type Destination = { kind: 'tenant'; tenant: string } | { kind: 'unmapped' } | { kind: 'no organisation' };

/** Returns the page after verifying (docs/rules.md#redirects-between-tenants). */
export function destinationAfterVerifying(
  user: Pick<UserRecord, 'supportingClubId'> | undefined,
  redirects: Pick<Redirects, 'verify'>,
): Destination {
  if (!user?.supportingClubId) return { kind: 'no organisation' };
  const tenant = redirects.verify[user.supportingClubId];
  return tenant === undefined ? { kind: 'unmapped' } : { kind: 'tenant', tenant };
}
