import type { Db } from '#db/connect.ts';
import type { Gauges } from '#telemetry/gauges.ts';
import type { Reading } from '#telemetry/metrics.ts';
import { kept } from '#telemetry/readings.ts';
import { countDeadLettersByQueue, countDue, readSecondsWaited } from './queue-repository.ts';

/** Adds the gauges of the jobs that wait or failed, by queue. */
export function queueMetrics({ db, gaugeBy, limited }: Gauges): void {
  const counting = limited(db);
  const ofQueues = (name: string, help: string, read: (each: Db) => PromiseLike<Reading[]>) =>
    gaugeBy(
      'queue',
      name,
      help,
      kept(0, async () => read(counting)),
    );
  ofQueues('queue_age_seconds', 'How long the oldest job that is due has been waiting.', readSecondsWaited);
  ofQueues('queue_length', 'Jobs that are due and waiting.', countDue);
  ofQueues(
    'jobs_failed',
    'Jobs that are not tried again until an operator has looked, by queue.',
    countDeadLettersByQueue,
  );
}
