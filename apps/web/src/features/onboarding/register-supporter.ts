import { type RegistrationForm, register } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { createUser, currentUserId, signOut } from '#api/session.ts';
import { readStored, store } from '#api/stored.ts';
import { becomeUser } from '#features/identity/present-user.ts';
import { getTenantA } from '#tenant/current.ts';

/**
 * Creates the identity user and the supporter, or the half that an earlier attempt lacks. Throws if the address has a
 * supporter; then no id is stored and no session is left behind.
 */
export async function registerSupporter(form: RegistrationForm, clubId: string, requestId: string): Promise<void> {
  const before = currentUserId();
  const userId = await createUser(form.email, form.password);
  try {
    const { CDRID } = await call(register, callOf(form, clubId, userId), { requestId });
    becomeUser(userId);
    store('cdrid', CDRID);
    store('clubId', clubId);
  } catch (error) {
    if (before !== userId) await signOut().catch((failure: unknown) => console.error(failure));
    throw error;
  }
}

const callOf = (form: RegistrationForm, clubId: string, userId: string) => ({
  email: form.email,
  firstName: form.firstName,
  lastName: form.lastName,
  mobile: form.mobileNumber,
  tenantA: getTenantA(),
  supportingClubId: clubId,
  userId,
  referrer: readStored('referrer'),
});
