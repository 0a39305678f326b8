import type { Db, Pool } from '#db/connect.ts';
import type { Reading } from '#telemetry/metrics.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { kept } from '#telemetry/readings.ts';
import { countDeadLettersByQueue, countDue, readSecondsWaited } from './queue-repository.ts';

/** Adds the gauges of waiting and failed jobs, by queue. */
export function addQueueMetrics({ gaugeBy, limited }: ProductMetrics, db: Pool): void {
  const counting = limited(db);
  const ofQueues = (name: string, help: string, read: (db: Db) => PromiseLike<Reading[]>) =>
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
