import type { Db } from '#db/connect.ts';
import type { SpentCode } from './oob-code-repository.ts';

/** Returns true where a user may not change to the address: somebody has it, themselves included, or it is held for another. */
export async function isAddressTaken(db: Db, email: string, uid: string): Promise<boolean> {
  const [taken] = await db`
    select from identity.addresses
    where email = ${email} and (held_until is null or (held_until > now() and uid <> ${uid}))`;
  return taken !== undefined;
}

/** Keeps an address for the user who has left it, a day longer than the code that restores it lives. */
export async function holdAddress(db: Db, email: string, uid: string): Promise<void> {
  await db`
    update identity.addresses set held_until = now() + interval '8 days' where email = ${email} and uid = ${uid}`;
}

/** Marks an address as verified: its user has used a code or link that was mailed to it. */
export async function verifyEmailOf(db: Db, email: string, uid: string): Promise<'verified' | 'void'> {
  const rows = await db`
    update identity.users set email_verified = true
    where uid = ${uid} and email = ${email} and not disabled
    returning uid`;
  return rows.length === 1 ? 'verified' : 'void';
}

/** Changes the address and ends every session from before, unless the address or the sessions have changed since the code. */
export async function changeEmailOf(db: Db, { uid, email, newEmail, since }: SpentCode): Promise<'changed' | 'void'> {
  const rows = await db`
    update identity.users
    set email = ${newEmail}, email_verified = true,
      valid_since = greatest(valid_since, floor(extract(epoch from clock_timestamp()))::bigint) + 1
    where uid = ${uid} and not disabled and email = ${email} and valid_since <= ${since}
    returning uid`;
  return rows.length === 1 ? 'changed' : 'void';
}

/**
 * Restores the address, ends every session and sets a password that nobody knows, because whoever made the change knew the
 * last one. Returns the address that is given up, or undefined where there is nothing to restore.
 */
export async function recoverEmailOf(
  db: Db,
  { uid, email }: Pick<SpentCode, 'uid' | 'email'>,
  passwordHash: string,
): Promise<string | undefined> {
  const [row] = await db<{ given: string }[]>`
    update identity.users
    set email = ${email}, email_verified = true, password_hash = ${passwordHash}, password_updated_at = clock_timestamp(),
      valid_since = greatest(users.valid_since, floor(extract(epoch from clock_timestamp()))::bigint) + 1
    from (select uid, email from identity.users where uid = ${uid} for update) as before
    where users.uid = before.uid and not disabled and before.email <> ${email}
    returning before.email as given`;
  return row?.given;
}
