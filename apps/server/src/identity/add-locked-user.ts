import type { Pool } from '#db/connect.ts';
import { hashPassword } from './passwords.ts';
import { makeSecret } from './secret.ts';
import { insertUser, takeAddress } from './user-repository.ts';

/** Hash of one secret for all, forgotten with the process. */
let passwordHash: Promise<string> | undefined;

/** Adds a user without known password, unless the address exists. */
export async function addLockedUser(pool: Pool, uid: string, email: string): Promise<void> {
  passwordHash ??= hashPassword(makeSecret(32));
  const hash = await passwordHash;
  await pool.begin(async (tx) => {
    if ((await takeAddress(tx, email, uid)) === 'taken') await insertUser(tx, { uid, email, passwordHash: hash });
  });
}
