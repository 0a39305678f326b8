import { setTimeout as wait } from 'node:timers/promises';
import { connect } from './connect.ts';

/** The database was there and has not been for a while. */
export class DatabaseLost extends Error {
  override name = 'DatabaseLost';
}

export interface LossWatch {
  /** Rejects once the database is lost. */
  lost: Promise<never>;
  stop(): void;
}

const answersWithinMs = 5_000;
const lostAfter = 3; // looks in a row

/**
 * Looks again and again whether a database is there, each time over a connection of its own: the driver may wait for
 * ever for an answer over one whose server has gone (porsager/postgres#1208).
 */
export function watchForLoss(url: string, everyMs = 2_000): LossWatch {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => {}); // also when nobody waits for it any more
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    for (let misses = 0; misses < lostAfter; ) {
      await wait(everyMs, undefined, { signal: stopped.signal });
      misses = (await isThere(url)) ? 0 : misses + 1;
    }
    reject(new DatabaseLost('The database has gone. What was done is kept; run the command again once it is back.'));
  };
  look().catch(() => {}); // it was stopped
  return { lost, stop: () => stopped.abort() };
}

/** Asks a database over a connection of its own whether it is there. */
export async function isThere(url: string, withinMs = answersWithinMs): Promise<boolean> {
  const session = connect(url, { max: 1, name: 'sparechange watch' });
  const answered = session`select 1`.then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answered, wait(withinMs, false, { ref: false })]);
  await session.end({ timeout: 1 }).catch(() => {});
  return isThere;
}
