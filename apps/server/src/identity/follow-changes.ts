import type { Db } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import type { IdentityService } from './service.ts';

/** Notes in the transaction of a change that the product is to follow it, which may be on another server. */
export async function noteAddressChange(tx: Db, uid: string): Promise<void> {
  await tx`
    insert into identity.address_changes as known (uid) values (${uid})
    on conflict (uid) do update set times = known.times + 1`;
}

const pageSize = 1_000;

type Followed = Pick<IdentityService, 'db' | 'afterAddressChange'>;
type Confirmed = Pick<IdentityService, 'db' | 'passwordChanged'>;

/** Lets the product follow changed addresses, on past those for which it fails; these are tried again. */
export async function followAddresses(service: Followed): Promise<void> {
  // In any order: a thousand that fail keep no other waiting for ever.
  const changes = await service.db<{ uid: string }[]>`
    select uid from identity.address_changes order by random() limit ${pageSize}`;
  await inTurn(changes, ({ uid }) => followAddress(service, uid));
}

/**
 * Lets the product follow one user's address. Whoever follows holds the note of the change, and reads the address after
 * that: nobody else writes one that it had before.
 */
export function followAddress({ db, afterAddressChange }: Followed, uid: string): Promise<void> {
  return db.begin(async (tx) => {
    const [change] = await tx`select from identity.address_changes where uid = ${uid} for update skip locked`;
    if (!change) return;
    const [user] = await tx<{ email: string | null }[]>`select email from identity.users where uid = ${uid}`;
    if (user?.email) await afterAddressChange({ uid, email: user.email });
    await tx`delete from identity.address_changes where uid = ${uid}`;
  });
}

/** Lets the product confirm new passwords by mail, on past those for which it fails; these are tried again. */
export async function followPasswordChanges(service: Confirmed): Promise<void> {
  const changes = await service.db<{ uid: string }[]>`
    select uid from identity.password_changes order by random() limit ${pageSize}`;
  await inTurn(changes, ({ uid }) => followPasswordChange(service, uid));
}

/** Lets the product confirm one user's new password, which was noted when it was saved. */
export function followPasswordChange({ db, passwordChanged }: Confirmed, uid: string): Promise<void> {
  return db.begin(async (tx) => {
    const [change] = await tx<{ changedAt: Date }[]>`
      select changed_at as "changedAt" from identity.password_changes where uid = ${uid} for update skip locked`;
    if (!change) return;
    await passwordChanged(uid, change.changedAt);
    await tx`delete from identity.password_changes where uid = ${uid}`;
  });
}
