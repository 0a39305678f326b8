import type { Redirects, UserRecord } from '@sparechange/contract';

export type Destination = { kind: 'tenant'; tenant: string } | { kind: 'unmapped' } | { kind: 'no organisation' };

/** Where a supporter continues after verifying (spec section 4, /verify). */
export function destinationAfterVerifying(
  user: Pick<UserRecord, 'supportingClubId'> | undefined,
  redirects: Pick<Redirects, 'verify'>,
): Destination {
  if (!user?.supportingClubId) return { kind: 'no organisation' };
  const tenant = redirects.verify[user.supportingClubId];
  return tenant === undefined ? { kind: 'unmapped' } : { kind: 'tenant', tenant };
}
