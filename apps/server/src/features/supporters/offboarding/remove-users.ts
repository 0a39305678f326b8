import { addDays } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { RemoveUser } from './close-supporter.ts';

/** Days for which an unfinished removal is looked for. */
const lookBackDays = 30;
const pageSize = 10_000;

async function listClosed(bucket: Db, since: string): Promise<string[]> {
  const closed = await bucket<{ uid: string }[]>`
    select uid from supporters where closed_on >= ${since} order by closed_on desc limit ${pageSize}`;
  return closed.map(({ uid }) => uid);
}

async function listPresent(control: Db, uids: string[]): Promise<string[]> {
  const present = await control<{ uid: string }[]>`select uid from identity.users where uid = any(${uids})`;
  return present.map(({ uid }) => uid);
}

/**
 * Removes users of a bucket whose account was closed without them, for instance because a process died in between;
 * skips failures, and throws them at the end.
 */
export async function removeUsersOfClosed(bucket: Pool, clock: Clock, removeUser: RemoveUser): Promise<void> {
  const control = bucket.inControl();
  const closed = await listClosed(bucket, addDays(today(clock), -lookBackDays));
  await inTurn(await listPresent(control, closed), (uid) => control.begin((tx) => removeUser(tx, uid)));
}
