import { type RegistrationForm, register } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { createUser } from '#api/session.ts';
import { readStored, store } from '#api/stored.ts';
import { getTenantA } from '#tenant/current.ts';

/**
 * Makes the identity user and the supporter. Either half may be there from an earlier attempt: then this finishes the
 * other one (design section 6).
 */
export async function registerSupporter(form: RegistrationForm, clubId: string): Promise<void> {
  const userId = await createUser(form.email, form.password);
  const { CDRID } = await call(register, {
    email: form.email,
    firstName: form.firstName,
    lastName: form.lastName,
    mobile: form.mobileNumber,
    tenantA: getTenantA(),
    supportingClubId: clubId,
    userId,
    referrer: readStored('referrer'),
  });
  store('cdrid', CDRID);
  store('userId', userId);
  store('clubId', clubId);
}
