import type { Pool } from '#db/connect.ts';
import { findOobCode, type OobCode } from './oob-code-repository.ts';
import { Refused } from './refusal.ts';
import { hashSecret } from './secret.ts';
import { findUser, type User } from './user-repository.ts';

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
