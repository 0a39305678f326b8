import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from './pool.ts';
import { type Db, makeTag } from './tag.ts';

/** Returns whether a statement is answered in time. */
export function answersWithin(db: Db, ms: number): Promise<boolean> {
  const answered = db`select 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, wait(ms, false, { ref: false })]);
}

const patienceMs = 10_000;

/** Finds the further servers that do not answer in time, by their names. */
export async function findSilentServers(db: Pool, withinMs = patienceMs): Promise<string[]> {
  const [, ...further] = db.servers.all;
  const asked = further.map(async (server) => ((await answersWithin(db.on(server), withinMs)) ? [] : [server.name]));
  return (await Promise.all(asked)).flat();
}

/** Leaves out buckets of servers, and those that no server is known to hold. */
export function withoutServers(db: Pool, silent: string[]): Pool {
  const isThere = ({ scope: { bucket } }: Db) => {
    const holder = db.servers.holders[bucket ?? 0];
    return holder !== undefined && !silent.includes(holder);
  };
  return Object.assign(makeTag(db.session, db.scope), db, { inBuckets: () => db.inBuckets().filter(isThere) });
}

/** Somebody waits for a list. */
const listPatienceMs = 3_000;

/** Reads a list from the servers that answer, and names those that are left out. */
export async function listFromAnswering<List extends object>(
  db: Pool,
  read: (db: Pool) => Promise<List>,
): Promise<List & { silentServers: string[] }> {
  const silentServers = await findSilentServers(db, listPatienceMs);
  return { ...(await read(withoutServers(db, silentServers))), silentServers };
}
