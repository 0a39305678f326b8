import type { Pool } from '#db/connect.ts';
import { hashPassword } from './passwords.ts';
import { makeUid } from './uid.ts';
import { findUid, insertUser, takeAddress } from './user-repository.ts';

export interface UserToAdd {
  /** In lower case. */
  email: string;
  password: string;
  displayName?: string | undefined;
}

/** Adds a user unless somebody has the address, however many ask at the same moment. */
export async function addUser(
  pool: Pool,
  { email, password, displayName }: UserToAdd,
): Promise<'added' | 'email exists'> {
  if (await findUid(pool, email)) return 'email exists'; // spares the hashing
  const passwordHash = await hashPassword(password);
  const uid = makeUid();
  return pool.begin(async (tx) => {
    if ((await takeAddress(tx, email, uid)) !== 'taken') return 'email exists';
    await insertUser(tx, { uid, email, passwordHash, displayName });
    return 'added';
  });
}
