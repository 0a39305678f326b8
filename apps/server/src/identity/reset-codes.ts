import type { Pool } from '#db/connect.ts';
import { makeOobCode } from './make-oob-code.ts';
import { expireOobCode } from './oob-code-repository.ts';
import { hashSecret } from './secret.ts';
import { findUserByEmail } from './user-repository.ts';

/**
 * A usable reset code for the operator, newer than any that was mailed. Codes are kept as hashes only, so those that
 * were mailed cannot be shown; this one is made on the spot and follows the same rules (once, one hour, void as soon as
 * the password changes). Mailed ones stay valid beside it. Undefined for an unknown or disabled user.
 */
export async function newestResetCode(pool: Pool, email: string): Promise<string | undefined> {
  const user = await findUserByEmail(pool, email.toLowerCase());
  if (!user || user.disabled) return undefined;
  return makeOobCode(pool, { uid: user.uid, requestType: 'password_reset', email: user.email });
}

/** Expires a code, so that it is refused with EXPIRED_OOB_CODE. */
export async function expireCode(pool: Pool, code: string): Promise<'expired' | 'no such code'> {
  return expireOobCode(pool, hashSecret(code));
}
