import { inTurn } from '#db/in-each-bucket.ts';
import type { IdentityService } from './service.ts';

const pageSize = 1_000;

type Followed = Pick<IdentityService, 'db' | 'passwordChanged'>;

/** Lets the product confirm new passwords by mail, on past those for which it fails; these are tried again. */
export async function followPasswordChanges(service: Followed): Promise<void> {
  // In any order: a thousand that fail keep no other waiting for ever.
  const changes = await service.db<{ uid: string }[]>`
    select uid from identity.password_changes order by random() limit ${pageSize}`;
  await inTurn(changes, ({ uid }) => followPasswordChange(service, uid));
}

/** Lets the product confirm one user's new password, which was noted when it was saved. */
export function followPasswordChange({ db, passwordChanged }: Followed, uid: string): Promise<void> {
  return db.begin(async (tx) => {
    const [change] = await tx<{ changedAt: Date }[]>`
      select changed_at as "changedAt" from identity.password_changes where uid = ${uid} for update skip locked`;
    if (!change) return;
    await passwordChanged(uid, change.changedAt);
    await tx`delete from identity.password_changes where uid = ${uid}`;
  });
}
