import type { Db } from '#db/connect.ts';
import type { IdentityService } from './service.ts';

/** Notes in the transaction of a change that the product is to follow it, which may be on another server. */
export async function noteAddressChange(tx: Db, uid: string): Promise<void> {
  await tx`
    insert into identity.address_changes as known (uid) values (${uid})
    on conflict (uid) do update set times = known.times + 1`;
}

const pageSize = 1_000;

/** Lets the product follow changed addresses, on past those for which it fails; these are tried again. */
export async function followAddresses({ db, afterAddressChange }: IdentityService): Promise<void> {
  const changes = await db<{ uid: string; email: string | null; times: number }[]>`
    select uid, users.email, times from identity.address_changes left join identity.users using (uid) limit ${pageSize}`;
  const failures: unknown[] = [];
  for (const { uid, email, times } of changes)
    try {
      if (email !== null) await afterAddressChange({ uid, email });
      await db`delete from identity.address_changes where uid = ${uid} and times = ${times}`;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
