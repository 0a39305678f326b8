import { isDatabaseUnavailable } from './database-answers.ts';
import type { Pool } from './pool.ts';
import type { Db } from './tag.ts';
import { Turns, throwAll } from './turns.ts';

/**
 * Does work for each in turn, continuing past failures. Throws the failure, or an `AggregateError` of several, once all
 * have had their turn.
 */
export async function inTurn<Each, Result>(
  all: Iterable<Each>,
  work: (each: Each) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const turns = new Turns(all);
  await turns.take(async (each) => {
    results.push(await work(each));
    return false;
  });
  turns.throwFailures();
  return results;
}

/** Runs work in every bucket in turn, continuing past failures. */
export const inEachBucket = <Bucket extends Db, Result>(
  db: { inBuckets(): Bucket[] },
  work: (bucket: Bucket) => Promise<Result>,
): Promise<Result[]> => inTurn(db.inBuckets(), work);

/** Returns control and every bucket: the homes of tables that both have. One handle may be both. */
export const controlAndBuckets = <Handle extends Db>(db: { inBuckets(): Handle[] } & Handle): Handle[] =>
  db.scope.buckets === 1 ? [db] : [db, ...db.inBuckets()];

/** Reads rows of several pools, asked concurrently. */
export const rowsOf = async <Row>(pools: Pool[], read: (pool: Pool) => PromiseLike<readonly Row[]>): Promise<Row[]> =>
  (await Promise.all(pools.map(read))).flat();

/**
 * Reads rows of several pools, asked concurrently, and leaves out those that do not answer. Throws their failures where
 * the row looked for is not among the answers: it may be theirs.
 */
export async function rowsOfAnswering<Row>(
  pools: Pool[],
  read: (pool: Pool) => PromiseLike<readonly Row[]>,
  isLookedFor: (row: Row) => boolean,
): Promise<Row[]> {
  const answers = await Promise.allSettled(pools.map(read));
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (!rows.some(isLookedFor) || !failures.every(isDatabaseUnavailable)) throwAll(failures);
  return rows;
}

/** Adds up reports of the same counts. */
export const sumsOf = <Name extends string>(reports: Record<Name, number>[]): Record<Name, number> =>
  reports.reduce((sums, report) => {
    const names = Object.keys(report) as Name[];
    return Object.fromEntries(names.map((name) => [name, sums[name] + report[name]])) as Record<Name, number>;
  });
