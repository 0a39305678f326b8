import { setTimeout as wait } from 'node:timers/promises';
import { runQuery } from './run-query.ts';
import { BucketUnavailable, type Servers } from './servers.ts';

const askAgainMs = 100;
const tries = 100;

interface Holder {
  bucket: number;
  server: string;
  isMoving: boolean;
}

const holders = {
  text: `select bucket, server, moving_to is not null as "isMoving" from public.bucket_servers`,
  values: [],
  isPrepared: false,
};

async function readHolders({ control: { connections } }: Servers): Promise<Holder[]> {
  const client = await connections.take(false);
  try {
    return (await runQuery(client, holders)) as unknown as Holder[];
  } finally {
    connections.give(client);
  }
}

/** Codes of statements whose tables are gone, or are views that stand for them (docs/decisions/0132-bucket-moves.md). */
const isOfMissingTables = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(42|55000)/.test(String(error.code));

/**
 * Looks up the server of each bucket after a statement found no tables, and waits a little for one that is just being
 * handed over. Returns whether any has been placed anew since a count of placings, or has gone back meanwhile; throws
 * BucketUnavailable where that takes longer.
 */
export async function followBuckets(servers: Servers, placed: number, error: unknown): Promise<boolean> {
  if (servers.all.length === 1 || !isOfMissingTables(error)) return false;
  for (let tried = 0; tried < tries; tried += 1) {
    const found = await readHolders(servers).catch(() => []);
    for (const { bucket, server } of found)
      if (servers.holders[bucket] !== undefined) servers.place(bucket, servers.find(server)?.name);
    if (servers.placed !== placed) return true;
    if (!found.some(({ isMoving }) => isMoving)) return tried > 0; // it has gone back
    await wait(askAgainMs);
  }
  throw new BucketUnavailable('A bucket is being moved to another server.');
}
