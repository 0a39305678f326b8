import { sydneyDateTime } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { dropRepeated, type FailingQueue, hasQueues, listFailing } from './queue-repository.ts';

/** Failures of a job after which it is alarmed though it is tried again: some ten minutes of them. */
const alarmedRetries = 7;

/** Returns a sentence about a queue's failing jobs and whether they will be tried again. */
const failedInWords = ({ queue, isRetried, jobs, since }: FailingQueue): string =>
  isRetried
    ? `${counted(jobs, 'job')} of the queue ${queue} failed ${alarmedRetries} times or more, the oldest of ${sydneyDateTime(since)} Sydney time, and will be tried again`
    : `${counted(jobs, 'job')} of the queue ${queue} failed and will not be tried again, the first at ${sydneyDateTime(since)} Sydney time`;

/**
 * Raises an alarm for each queue and the day of its newest failing job. Work that keeps failing keeps its first dead
 * letter, and is alarmed once.
 */
export async function watchDeadLetters(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  if (!(await hasQueues(deps.db))) return;
  await dropRepeated(deps.db);
  for (const failing of await listFailing(deps.db, alarmedRetries)) {
    const { queue, lastDay, error } = failing;
    await raiseAlarm(deps, {
      name: 'jobs_failed',
      about: `${queue} ${lastDay}`,
      sentence: `${failedInWords(failing)}; the error of the newest: ${error ?? 'unknown'}. Retry them once the cause is fixed.`,
      see: { page: 'Jobs', command: 'jobs list' },
    });
  }
}
