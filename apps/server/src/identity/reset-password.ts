import type { Pool } from '#db/connect.ts';
import { type PasswordPolicy, refuseWeakPassword } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import { findResetCode, spendResetCode } from './reset-code-repository.ts';
import { hashSecret } from './secret.ts';
import { findUser, resetPasswordOf, type User } from './user-repository.ts';

/** Whose code it is. Throws Refused: INVALID_OOB_CODE (unknown, used or void), EXPIRED_OOB_CODE or USER_DISABLED. */
export async function ownerOfCode(pool: Pool, oobCode: string): Promise<User> {
  const code = await findResetCode(pool, hashSecret(oobCode));
  if (!code || code.isVoid) throw new Refused('INVALID_OOB_CODE');
  if (code.isExpired) throw new Refused('EXPIRED_OOB_CODE');
  const user = await findUser(pool, code.uid);
  if (!user) throw new Refused('INVALID_OOB_CODE');
  if (user.disabled) throw new Refused('USER_DISABLED');
  return user;
}

/**
 * Sets a new password with a code: the code is used up, every other code of the user is void, every session ends, and
 * the address is proven. A password that is refused leaves the code as it was. Throws as `ownerOfCode` and
 * `refuseWeakPassword` do.
 */
export async function resetPassword(
  pool: Pool,
  policy: PasswordPolicy,
  oobCode: string,
  newPassword: string,
): Promise<User> {
  const user = await ownerOfCode(pool, oobCode);
  refuseWeakPassword(policy, newPassword);
  const passwordHash = await hashPassword(newPassword);
  await pool.begin(async (tx) => {
    const code = await spendResetCode(tx, hashSecret(oobCode));
    if (!code || (await resetPasswordOf(tx, code.uid, passwordHash, code.createdAt)) === 'void') {
      throw new Refused('INVALID_OOB_CODE');
    }
  });
  return user;
}
