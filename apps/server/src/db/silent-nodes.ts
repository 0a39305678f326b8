import { listNodesOfBuckets } from './citus-nodes.ts';
import { answersWithin, isConnectionLost } from './database-answers.ts';
import type { Pool } from './pool.ts';
import { type Db, makeTag } from './tag.ts';

const patienceMs = 10_000;

/** Finds the nodes of a cluster that do not answer in time, by their names. Each is asked by way of a bucket that it holds. */
export async function findSilentNodes(db: Pool, withinMs = patienceMs): Promise<string[]> {
  if (!db.nodes.ofBuckets) return [];
  const nodes = await listNodesOfBuckets(db);
  db.nodes.ofBuckets = nodes;
  const asked = [...new Set(nodes)].map(async (node) => {
    const bucket = db.inBuckets()[nodes.indexOf(node)];
    if (node === undefined || bucket === undefined) return [];
    return (await answersWithin(bucket, withinMs, (each) => each`select from supporters limit 1`)) ? [] : [node];
  });
  return (await Promise.all(asked)).flat();
}

/** Names nodes in a sentence, as in "nodes east:5432, west:5432 of the Citus cluster". */
export const nodesInWords = (names: string[]): string =>
  `node${names.length === 1 ? '' : 's'} ${names.join(', ')} of the Citus cluster`;

/** Returns whether nodes of a cluster hold the buckets. */
export const isOfCluster = ({ nodes }: Pool): boolean => nodes.ofBuckets !== undefined;

/** Returns whether a bucket is on one of these nodes, or of a cluster on none that is known; control is on neither. */
export function isOnNodes({ nodes }: Pool, { scope: { bucket } }: Db, names: string[]): boolean {
  if (bucket === undefined || !nodes.ofBuckets) return false;
  const node = nodes.ofBuckets[bucket];
  return node === undefined || names.includes(node);
}

/** Leaves out buckets of nodes, and those that no node of a cluster is known to hold. */
export const withoutNodes = (db: Pool, silent: string[]): Pool =>
  Object.assign(makeTag(db.session, db.scope), db, {
    inBuckets: () => db.inBuckets().filter((bucket) => !isOnNodes(db, bucket, silent)),
  });

/** Finds the silent nodes that an error comes from; none where it comes from elsewhere. */
export const findSilentBehind = async (db: Pool, error: unknown): Promise<string[]> =>
  isConnectionLost(error) ? findSilentNodes(db) : [];

/** Time for which a caller waits for a list. */
export const listPatienceMs = 3_000;

/** Reads a list from the nodes that answer, and names those that are left out. */
export async function listFromAnswering<List extends object>(
  db: Pool,
  read: (db: Pool) => Promise<List>,
): Promise<List & { silentServers: string[] }> {
  const silentServers = await findSilentNodes(db, listPatienceMs);
  return { ...(await read(withoutNodes(db, silentServers))), silentServers };
}
