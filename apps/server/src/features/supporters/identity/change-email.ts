import { type Identity, supporterIdOf } from '#caller.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOfAnswering } from '#db/in-each-bucket.ts';
import { keptAddress } from '#kept-address.ts';

interface ChangedEmail {
  supporterId: string;
  email: string;
  at: Date;
}

/**
 * Gives the supporter the address of their identity user, which an emailed code has proven. Repeating it changes
 * nothing.
 */
export async function changeEmail(db: Db, { supporterId, email, at }: ChangedEmail): Promise<void> {
  await db.of(supporterId)`
    update supporters set email = ${email}, email_proven_at = ${at}, email_changed_at = ${at}
    where supporter_id = ${supporterId} and email <> ${email} and closed_on is null`;
}

/**
 * Follows a change of address at an external identity provider: a token of a later second names the new one. A token
 * from before the change, which such a provider honours for an hour, does not undo it.
 */
export async function followVerifiedEmail(db: Db, { uid, email, isEmailVerified, issuedAt }: Identity): Promise<void> {
  if (!isEmailVerified || issuedAt === undefined) return;
  const supporterId = supporterIdOf(uid);
  const address = keptAddress(email);
  await db.of(supporterId)`
    update supporters
    set email = ${address}, email_proven_at = now(), email_changed_at = to_timestamp(${issuedAt})
    where supporter_id = ${supporterId} and email <> ${address} and closed_on is null
      and greatest(registered_at, email_changed_at) < to_timestamp(${issuedAt})`;
}

/**
 * Records that an address was confirmed by its recipient, even while other buckets do not answer. Repeating it, or an
 * unknown address, changes nothing.
 */
export async function confirmEmail(pool: Pool, email: string, at: Date): Promise<void> {
  const address = keptAddress(email);
  const confirm = async (db: Db) => {
    const found = await db<{ isOpen: boolean }[]>`
      select closed_on is null as "isOpen" from supporters where email = ${address}`;
    if (found.length > 0)
      await db`update supporters set email_proven_at = ${at} where email = ${address} and email_proven_at is null`;
    return found;
  };
  await rowsOfAnswering(pool.inBuckets(), confirm, ({ isOpen }) => isOpen);
}
