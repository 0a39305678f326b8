import { listNodesOfBuckets } from './citus-nodes.ts';
import { answersWithin, isConnectionLost } from './database-answers.ts';
import type { Pool } from './pool.ts';
import { type Db, makeTag } from './tag.ts';

const patienceMs = 10_000;

/** Finds the further servers, or nodes of a cluster, that do not answer in time, by their names. */
export async function findSilentServers(db: Pool, withinMs = patienceMs): Promise<string[]> {
  if (db.servers.nodes) return findSilentNodes(db, withinMs);
  const [, ...further] = db.servers.all;
  const asked = further.map(async (server) => ((await answersWithin(db.on(server), withinMs)) ? [] : [server.name]));
  return (await Promise.all(asked)).flat();
}

/** Asks each node by way of a bucket that it holds. */
async function findSilentNodes(db: Pool, withinMs: number): Promise<string[]> {
  const nodes = await listNodesOfBuckets(db);
  db.servers.nodes = nodes;
  const asked = [...new Set(nodes)].map(async (node) => {
    const bucket = db.inBuckets()[nodes.indexOf(node)];
    if (node === undefined || bucket === undefined) return [];
    return (await answersWithin(bucket, withinMs, (each) => each`select from supporters limit 1`)) ? [] : [node];
  });
  return (await Promise.all(asked)).flat();
}

/** Names servers or nodes in a sentence, as in "servers east, west of BUCKET_SERVERS". */
export function serversInWords({ servers }: Pool, names: string[]): string {
  const [kind, whole] = servers.nodes ? ['node', 'the Citus cluster'] : ['server', 'BUCKET_SERVERS'];
  return `${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')} of ${whole}`;
}

/** Returns whether a bucket is on one of these servers, or on none that is known; control is on neither. */
export function isOnServers(db: Pool, { scope: { bucket } }: Db, names: string[]): boolean {
  if (bucket === undefined) return false;
  const holder = (db.servers.nodes ?? db.servers.holders)[bucket];
  return holder === undefined || names.includes(holder);
}

/** Leaves out buckets of servers, and those that no server is known to hold. */
export const withoutServers = (db: Pool, silent: string[]): Pool =>
  Object.assign(makeTag(db.session, db.scope), db, {
    inBuckets: () => db.inBuckets().filter((bucket) => !isOnServers(db, bucket, silent)),
  });

/** Finds the silent servers that an error comes from; none where it comes from elsewhere. */
export const findSilentBehind = async (db: Pool, error: unknown): Promise<string[]> =>
  isConnectionLost(error) ? findSilentServers(db) : [];

/** Somebody waits for a list. */
export const listPatienceMs = 3_000;

/** Reads a list from the servers that answer, and names those that are left out. */
export async function listFromAnswering<List extends object>(
  db: Pool,
  read: (db: Pool) => Promise<List>,
): Promise<List & { silentServers: string[] }> {
  const silentServers = await findSilentServers(db, listPatienceMs);
  return { ...(await read(withoutServers(db, silentServers))), silentServers };
}
