import type { Db, Pool } from '#db/connect.ts';
import { expireOobCode, findOobCode, insertOobCode, type NewOobCode, type OobCode } from './oob-code-repository.ts';
import { Refused } from './refusal.ts';
import { hashSecret, makeSecret } from './secret.ts';
import { findUser, findUserByEmail, type User } from './user-repository.ts';

/** Makes a one-time out-of-band code and keeps only its hash. */
export async function makeOobCode(db: Db, about: NewOobCode): Promise<string> {
  const code = makeSecret(40);
  await insertOobCode(db, hashSecret(code), about);
  return code;
}

/** Returns a usable code and its user. Throws Refused: INVALID_OOB_CODE (unknown, used or void), EXPIRED_OOB_CODE or USER_DISABLED. */
export async function readOobCode(pool: Pool, oobCode: string): Promise<{ code: OobCode; user: User }> {
  const code = await findOobCode(pool, hashSecret(oobCode));
  if (!code || code.isVoid) throw new Refused('INVALID_OOB_CODE');
  if (code.isExpired) throw new Refused('EXPIRED_OOB_CODE');
  const user = await findUser(pool, code.uid);
  if (!user) throw new Refused('INVALID_OOB_CODE');
  if (user.disabled) throw new Refused('USER_DISABLED');
  return { code, user };
}

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
