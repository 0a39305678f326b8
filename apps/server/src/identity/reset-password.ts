import type { Pool } from '#db/connect.ts';
import { spendOobCode } from './oob-code-repository.ts';
import { readOobCode } from './oob-codes.ts';
import { type PasswordPolicy, refuseWeakPassword } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import { hashSecret } from './secret.ts';
import { resetPasswordOf, type User } from './user-repository.ts';

/**
 * Sets a new password with a code: the code is used up, every other code of the user is void, every session ends, and
 * the address is proven. A password that is refused leaves the code as it was. Throws as `readOobCode` and
 * `refuseWeakPassword` do.
 */
export async function resetPassword(
  pool: Pool,
  policy: PasswordPolicy,
  oobCode: string,
  newPassword: string,
): Promise<User> {
  const { code, user } = await readOobCode(pool, oobCode);
  if (code.requestType !== 'password_reset') throw new Refused('INVALID_OOB_CODE');
  refuseWeakPassword(policy, newPassword);
  const passwordHash = await hashPassword(newPassword);
  await pool.begin(async (tx) => {
    const spent = await spendOobCode(tx, hashSecret(oobCode));
    if (!spent || (await resetPasswordOf(tx, spent.uid, passwordHash, spent)) === 'void') {
      throw new Refused('INVALID_OOB_CODE');
    }
  });
  return user;
}
