import { randomInt } from 'node:crypto';
import type { Pool } from '#db/connect.ts';
import { hashPassword } from './passwords.ts';
import { findUid, insertUser, takeAddress } from './user-repository.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes an id in Firebase's form: 28 alphanumeric characters. */
const makeUid = (): string => Array.from({ length: 28 }, () => alphabet[randomInt(alphabet.length)]).join('');

export interface UserToAdd {
  /** In lower case. */
  email: string;
  password: string;
  displayName?: string | undefined;
}

/** Adds a user unless the address is taken, even concurrently. */
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
