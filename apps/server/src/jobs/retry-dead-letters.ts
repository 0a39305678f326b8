import { PgBoss } from 'pg-boss';
import type { Db } from '#db/connect.ts';
import { countDeadLetters, dropDeadLetter, listDeadLetters, listDeadWork } from './queue-repository.ts';
import { queueSettings } from './queue-settings.ts';

export interface RetriedJobs {
  retried: number;
  /** Those that could not be queued; they stay dead letters. */
  failures: { id: string; because: string }[];
}

/** The most that are listed, or retried together. */
export const maxFailedJobs = 1_000;

/** Retries one failed job, or all of them; tells how many were left out. */
export async function retryFailedJobs(
  db: Db,
  databaseUrl: string,
  id?: string,
): Promise<RetriedJobs & { left: number }> {
  const total = await countDeadLetters(db);
  if (total === 0) return { retried: 0, failures: [], left: 0 };
  const ids = id === undefined ? (await listDeadLetters(db, maxFailedJobs)).map((job) => job.id) : [id];
  const left = id === undefined ? total - ids.length : 0;
  return { ...(await retryDeadLetters(db, databaseUrl, ids)), left };
}

/**
 * Queues the work of dead letters again and then drops them. Where the same work waits already, that job is enough; one
 * that ends between both is queued twice at most, and every job is safe twice.
 */
export async function retryDeadLetters(db: Db, databaseUrl: string, ids: string[]): Promise<RetriedJobs> {
  const report: RetriedJobs = { retried: 0, failures: [] };
  if (ids.length === 0) return report;
  const boss = await openSender(databaseUrl);
  try {
    for (const { id, queue, key, data } of await listDeadWork(db, ids)) {
      try {
        if (queue === null) throw new Error('Its queue is not known.');
        await boss.send(queue, data, { singletonKey: key });
        await dropDeadLetter(db, id);
        report.retried += 1;
      } catch (error) {
        report.failures.push({ id, because: (error as Error).message });
      }
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  return report;
}

/** Opens queues for sending, without supervision, schedules or migrations. */
async function openSender(databaseUrl: string): Promise<PgBoss> {
  const passive = { migrate: false, supervise: false, schedule: false };
  const boss = new PgBoss({ ...queueSettings(databaseUrl), max: 1, ...passive });
  boss.on('error', () => {}); // each call rejects separately
  await boss.start();
  return boss;
}
