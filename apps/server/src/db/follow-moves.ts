import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Pool } from './connect.ts';

const channel = 'bucket_moves';
const lockName = 'sparechange.bucket is moving';
const lookAgainMs = 100;

/**
 * Marks a bucket as moving while work runs, for processes that follow moves. The mark is a lock of a session in control,
 * so that it ends with a command that is killed.
 */
export async function whileMarked<Result>(db: Pool, bucket: number, work: () => Promise<Result>): Promise<Result> {
  const session = await db.inControl().reserve();
  try {
    await session`select pg_advisory_lock(hashtext(${lockName}), ${bucket}), pg_notify(${channel}, '')`;
    return await work();
  } finally {
    // Where control has lost the connection, the mark has ended with it; the move itself may be done.
    await session`select pg_advisory_unlock(hashtext(${lockName}), ${bucket}), pg_notify(${channel}, '')`.catch(
      () => {},
    );
    session.release();
  }
}

async function readMarked(control: Db): Promise<Set<number>> {
  const marked = await control<{ bucket: number }[]>`
    select objid::int as bucket from pg_locks
    where locktype = 'advisory' and granted and classid = hashtext(${lockName})::oid and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`;
  return new Set(marked.map(({ bucket }) => bucket));
}

/**
 * Lets statements for a bucket that another process is moving wait without a connection, which those for other buckets
 * need, and fail with BucketUnavailable once the move has taken `patienceMs`.
 */
export async function followMoves(db: Pool, patienceMs: number): Promise<{ close(): Promise<void> }> {
  const { servers } = db;
  const control = db.inControl();
  let isClosed = false;
  const look = async () => {
    while (!isClosed) {
      const marked = await readMarked(control);
      servers.keepWaiting(marked, patienceMs);
      if (marked.size === 0) return;
      await wait(lookAgainMs);
    }
  };
  let looking = Promise.resolve();
  const lookAgain = () => {
    looking = looking.then(look).catch(() => servers.keepWaiting(new Set(), patienceMs)); // locks keep them waiting then
  };
  const listening = await db.listen(channel, lookAgain, lookAgain);
  return {
    close: async () => {
      isClosed = true;
      await listening.unlisten();
      await looking;
    },
  };
}
