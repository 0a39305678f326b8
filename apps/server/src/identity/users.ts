import { randomInt } from 'node:crypto';
import type { Db, Pool } from '#db/connect.ts';
import { keptAddress } from '#kept-address.ts';
import { parseEmail } from './input.ts';
import { deleteOobCodes } from './oob-code-repository.ts';
import { hashPassword } from './passwords.ts';
import { makeSecret } from './secret.ts';
import {
  findUid,
  findUser,
  freeAddress,
  freeHeldAddresses,
  insertUser,
  registerAddress,
  removeUser,
  setDisabled,
  verifyEmailOf,
} from './user-repository.ts';

/**
 * Makes sure that a user of this address exists, for seeding. An existing user keeps their password. Throws Refused
 * (INVALID_EMAIL) for an invalid address.
 */
export async function createUser(
  pool: Pool,
  email: string,
  password: string,
): Promise<{ uid: string; isNew: boolean }> {
  const address = parseEmail(email);
  const added = await addUser(pool, { email: address, password });
  const uid = await findUid(pool, address);
  if (!uid) throw new Error('The user was deleted while being created.');
  return { uid, isNew: added === 'added' };
}

/** Marks the address as verified where it is a user's: they have used a link that was emailed to it. */
export async function verifyEmail(db: Db, email: string): Promise<void> {
  const address = keptAddress(email);
  const uid = await findUid(db, address);
  if (uid) await verifyEmailOf(db, address, uid);
}

export type Found = 'done' | 'no such user';

/** Bars sign-in and refresh, ends sessions; repeating it changes nothing. */
export async function disableUser(pool: Pool, email: string): Promise<Found> {
  return setDisabledByEmail(pool, email, true);
}

/** Lets a disabled user sign in; earlier sessions stay ended. */
export async function enableUser(pool: Pool, email: string): Promise<Found> {
  return setDisabledByEmail(pool, email, false);
}

async function setDisabledByEmail(pool: Pool, email: string, disabled: boolean): Promise<Found> {
  const uid = await findUid(pool, keptAddress(email));
  if (!uid) return 'no such user';
  await setDisabled(pool, uid, disabled);
  return 'done';
}

/** Removes a user and frees the address. Sessions stay behind as hashes without an owner and answer USER_NOT_FOUND. */
export async function deleteUser(pool: Pool, email: string): Promise<Found> {
  const address = keptAddress(email);
  const uid = await findUid(pool, address);
  if (!uid) return 'no such user';
  await pool.begin((tx) => removeUserInside(tx, uid));
  return 'done';
}

/** Removes a user and frees the address in a transaction of the caller's; nothing when there is no such user. */
export async function removeUserInside(tx: Db, uid: string): Promise<void> {
  const user = await findUser(tx, uid);
  if (!user) return;
  await removeUser(tx, uid);
  await freeAddress(tx, user.email, uid);
  await freeHeldAddresses(tx, uid);
  await deleteOobCodes(tx, uid);
}

/** Hash of one secret for all, forgotten with the process. */
let passwordHash: Promise<string> | undefined;

/** Adds a user without known password, unless the address exists. */
export async function addLockedUser(pool: Pool, uid: string, email: string): Promise<void> {
  passwordHash ??= hashPassword(makeSecret(32));
  const hash = await passwordHash;
  await pool.begin(async (tx) => {
    if ((await registerAddress(tx, email, uid)) === 'registered')
      await insertUser(tx, { uid, email, passwordHash: hash });
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes an id in Firebase's form: 28 alphanumeric characters. */
const makeUid = (): string => Array.from({ length: 28 }, () => alphabet[randomInt(alphabet.length)]).join('');

interface UserToAdd {
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
    if ((await registerAddress(tx, email, uid)) === 'in use') return 'email exists';
    await insertUser(tx, { uid, email, passwordHash, displayName });
    return 'added';
  });
}
