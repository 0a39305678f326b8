import type { Db } from '#db/connect.ts';
import { lifeHours, type SpentCode } from './oob-code-repository.ts';

export interface User {
  uid: string;
  email: string;
  emailVerified: boolean;
  passwordHash: string;
  displayName: string | null;
  photoUrl: string | null;
  disabled: boolean;
  /** Seconds; sessions and tokens that began earlier are void. */
  validSince: number;
  createdAt: Date;
  lastLoginAt: Date;
  passwordUpdatedAt: Date;
  /** The database's second at which this was read: what is decided on it begins then (see session.ts). */
  readAt: number;
}

export async function findUser(db: Db, uid: string): Promise<User | undefined> {
  const [user] = await db<User[]>`
    select uid, email, email_verified as "emailVerified", password_hash as "passwordHash",
      display_name as "displayName", photo_url as "photoUrl", disabled, valid_since as "validSince",
      created_at as "createdAt", last_login_at as "lastLoginAt", password_updated_at as "passwordUpdatedAt",
      floor(extract(epoch from now()))::bigint as "readAt"
    from identity.users
    where uid = ${uid}`;
  return user;
}

interface UserStatus extends Pick<User, 'disabled' | 'validSince'> {
  /** False for a missing session, true if none is named. */
  isSessionOpen: boolean;
}

/** Reads what decides a token's validity; old tokens lack `sessionId`. */
export async function findUserStatus(
  db: Db,
  uid: string,
  sessionId: string | undefined,
): Promise<UserStatus | undefined> {
  const hash = sessionId === undefined ? null : Buffer.from(sessionId, 'base64url');
  const [status] = await db<UserStatus[]>`
    select disabled, valid_since as "validSince",
      ${hash}::bytea is null or exists (
        select from identity.sessions where token_hash = ${hash} and ended_at is null) as "isSessionOpen"
    from identity.users where uid = ${uid}`;
  return status;
}

/** Returns the user of an address that is not held. */
export async function findUid(db: Db, email: string): Promise<string | undefined> {
  const [address] = await db<{ uid: string }[]>`
    select uid from identity.addresses where email = ${email} and held_until is null`;
  return address?.uid;
}

/**
 * Makes the same number of queries for an unknown address as for a known one, so that time does not tell them apart.
 */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return findUser(db, (await findUid(db, email)) ?? '');
}

/** Registers an address that belongs to nobody, or that the user has left and is still held for them. */
export async function registerAddress(db: Db, email: string, uid: string): Promise<'registered' | 'in use'> {
  const rows = await db`
    insert into identity.addresses as known (email, uid) values (${email}, ${uid})
    on conflict (email) do update set uid = excluded.uid, held_until = null
    where known.held_until is not null and (known.uid = excluded.uid or known.held_until < now())
    returning email`;
  return rows.length === 1 ? 'registered' : 'in use';
}

interface NewUser {
  uid: string;
  email: string;
  passwordHash: string;
  displayName?: string | undefined;
}

export async function insertUser(db: Db, { uid, email, passwordHash, displayName }: NewUser): Promise<void> {
  await db`
    insert into identity.users (uid, email, password_hash, display_name, valid_since)
    values (${uid}, ${email}, ${passwordHash}, ${displayName ?? null}, floor(extract(epoch from now()))::bigint)`;
}

export async function recordLogin(db: Db, uid: string): Promise<void> {
  await db`update identity.users set last_login_at = now() where uid = ${uid}`;
}

/** Sets the second from which sessions and tokens count to the next one, so that those of this very second end too. */
const endOfEarlierSessions = (db: Db) => db`
  valid_since = greatest(users.valid_since, floor(extract(epoch from clock_timestamp()))::bigint) + 1`;

/** Notes, for the user of `changed`, that the product is to confirm the new password by mail. */
const notedChange = (db: Db) => db`
  noted as (
    insert into identity.password_changes as known (uid) select uid from changed
    on conflict (uid) do update set changed_at = clock_timestamp()
  )`;

/**
 * Changes the password and ends every session, token and reset code from before. New ones are
 * dated to the second after it (see session.ts). Returns the new validSince, or
 * undefined when the sessions were ended since `validSince` was read: then the asker's was too.
 */
export async function changePassword(
  db: Db,
  { uid, validSince }: Pick<User, 'uid' | 'validSince'>,
  passwordHash: string,
): Promise<number | undefined> {
  const [row] = await db<{ validSince: number }[]>`
    with changed as (
      update identity.users
      set password_hash = ${passwordHash}, password_updated_at = clock_timestamp(),
        ${endOfEarlierSessions(db)}
      where uid = ${uid} and not disabled and valid_since = ${validSince}
      returning uid, valid_since
    ), ${notedChange(db)}
    select valid_since as "validSince" from changed`;
  return row?.validSince;
}

/**
 * As `changePassword`, by email: only if the password has not changed since the code was made, and it proves the
 * address.
 */
export async function resetPasswordOf(
  db: Db,
  uid: string,
  passwordHash: string,
  { createdAt, email }: Pick<SpentCode, 'createdAt' | 'email'>,
): Promise<'reset' | 'void'> {
  const rows = await db`
    with changed as (
      update identity.users
      set password_hash = ${passwordHash}, password_updated_at = clock_timestamp(), email_verified = true,
        ${endOfEarlierSessions(db)}
      where uid = ${uid} and not disabled and email = ${email}
        and password_updated_at < ${createdAt}::text::timestamptz
      returning uid
    ), ${notedChange(db)}
    select uid from changed`;
  return rows.length === 1 ? 'reset' : 'void';
}

interface Profile {
  displayName: string | null;
  photoUrl: string | null;
}

export async function changeProfile(db: Db, uid: string, { displayName, photoUrl }: Profile): Promise<void> {
  await db`
    update identity.users set display_name = ${displayName}, photo_url = ${photoUrl} where uid = ${uid}`;
}

/** Disables or enables a user, ending earlier sessions for good. */
export async function setDisabled(db: Db, uid: string, disabled: boolean): Promise<void> {
  await db`
    update identity.users
    set disabled = ${disabled},
      ${endOfEarlierSessions(db)}
    where uid = ${uid} and disabled <> ${disabled}`;
}

/** Ends all earlier sessions and tokens; keeps the password. */
export async function endSessionsOf(db: Db, uid: string): Promise<void> {
  await db`
    update identity.users
    set ${endOfEarlierSessions(db)}
    where uid = ${uid}`;
}

export async function removeUser(db: Db, uid: string): Promise<void> {
  await db`delete from identity.users where uid = ${uid}`;
}

export async function freeAddress(db: Db, email: string, uid: string): Promise<void> {
  await db`delete from identity.addresses where email = ${email} and uid = ${uid}`;
}

/** Frees every address that is held for a user. */
export async function freeHeldAddresses(db: Db, uid: string): Promise<void> {
  await db`delete from identity.addresses where uid = ${uid} and held_until is not null`;
}

/** Returns true where a user may not change to the address: somebody has it, themselves included, or it is held for another. */
export async function isAddressInUse(db: Db, email: string, uid: string): Promise<boolean> {
  const [address] = await db`
    select from identity.addresses
    where email = ${email} and (held_until is null or (held_until > now() and uid <> ${uid}))`;
  return address !== undefined;
}

/** Keeps an address for the user who has left it, a day longer than the code that restores it lives. */
export async function holdAddress(db: Db, email: string, uid: string): Promise<void> {
  await db`
    update identity.addresses set held_until = now() + make_interval(hours => ${lifeHours.recover_email + 24})
    where email = ${email} and uid = ${uid}`;
}

/** Marks an address as verified: its user has used a code or link that was emailed to it. */
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
      ${endOfEarlierSessions(db)}
    where uid = ${uid} and not disabled and email = ${email} and valid_since <= ${since}
    returning uid`;
  return rows.length === 1 ? 'changed' : 'void';
}

/**
 * Restores the address, ends every session and sets a password that nobody knows, because the person who made the
 * change knew the last one. Returns the address that is given up, or undefined where there is nothing to restore.
 */
export async function recoverEmailOf(
  db: Db,
  { uid, email }: Pick<SpentCode, 'uid' | 'email'>,
  passwordHash: string,
): Promise<string | undefined> {
  const [row] = await db<{ given: string }[]>`
    update identity.users
    set email = ${email}, email_verified = true, password_hash = ${passwordHash}, password_updated_at = clock_timestamp(),
      ${endOfEarlierSessions(db)}
    from (select uid, email from identity.users where uid = ${uid} for update) as before
    where users.uid = before.uid and not disabled and before.email <> ${email}
    returning before.email as given`;
  return row?.given;
}
