import { isOwnBrand, type Start } from '#tenant/current.ts';

export interface RegistrationStart {
  path: '/register2' | '/clubs';
  state: { selectedClubId: string } | undefined;
}

/**
 * Where "Register" leads (docs/rules.md#own-brands): to the form for the tenant's own club, to the clubs of a tenant that
 * has a parent, to all clubs for our own brands.
 */
export function registrationStart(start: Start): RegistrationStart {
  const { clubID, parentClubId } = start.settings;
  if (clubID && !parentClubId && !isOwnBrand(start)) return { path: '/register2', state: { selectedClubId: clubID } };
  return { path: '/clubs', state: undefined };
}
