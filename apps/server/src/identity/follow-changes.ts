import type { Db, Pool } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import type { IdentityService } from './service.ts';

/** Notes in the transaction of a change that the product has to follow it, in a transaction of its own. */
export async function noteAddressChange(tx: Db, uid: string): Promise<void> {
  await tx`
    insert into identity.address_changes as known (uid) values (${uid})
    on conflict (uid) do update set times = known.times + 1`;
}

const pageSize = 1_000;

type Followed = Pick<IdentityService, 'db' | 'afterAddressChange'>;
type Confirmed = Pick<IdentityService, 'db' | 'passwordChanged'>;

/** A table that has one note for each user whose change the product is to follow. */
type Notes = 'address_changes' | 'password_changes';

/** Follows every noted change, continuing past failures, which are retried. */
async function followAll(db: Pool, notes: Notes, follow: (uid: string) => Promise<void>): Promise<void> {
  // In any order: a thousand that fail do not block the others for ever.
  const changes = await db<{ uid: string }[]>`
    select uid from identity.${db(notes)} order by random() limit ${pageSize}`;
  await inTurn(changes, ({ uid }) => follow(uid));
}

/**
 * Follows one user's noted change, unless another process does already. The follower locks the note, and deletes it.
 */
const followOne = (db: Pool, notes: Notes, uid: string, follow: (tx: Db) => Promise<void>): Promise<void> =>
  db.begin(async (tx) => {
    const [note] = await tx`select from identity.${tx(notes)} where uid = ${uid} for update skip locked`;
    if (!note) return;
    await follow(tx);
    await tx`delete from identity.${tx(notes)} where uid = ${uid}`;
  });

/** Lets the product follow changed addresses. */
export const followAddresses = (service: Followed): Promise<void> =>
  followAll(service.db, 'address_changes', (uid) => followAddress(service, uid));

/**
 * Lets the product follow one user's address, read while the note is held: no other process can write an earlier one.
 */
export const followAddress = ({ db, afterAddressChange }: Followed, uid: string): Promise<void> =>
  followOne(db, 'address_changes', uid, async (tx) => {
    const [user] = await tx<{ email: string | null }[]>`select email from identity.users where uid = ${uid}`;
    if (user?.email) await afterAddressChange(tx, { uid, email: user.email });
  });

/** Lets the product confirm new passwords by mail. */
export const followPasswordChanges = (service: Confirmed): Promise<void> =>
  followAll(service.db, 'password_changes', (uid) => followPasswordChange(service, uid));

/** Lets the product confirm one user's new password, which was noted when it was saved. */
export const followPasswordChange = ({ db, passwordChanged }: Confirmed, uid: string): Promise<void> =>
  followOne(db, 'password_changes', uid, async (tx) => {
    const [change] = await tx<{ changedAt: Date }[]>`
      select changed_at as "changedAt" from identity.password_changes where uid = ${uid}`;
    if (change) await passwordChanged(tx, { uid, ...change });
  });
