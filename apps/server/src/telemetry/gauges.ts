import type { Pool } from '#db/connect.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import type { Clock } from '#ports/clock.ts';
import type { ProductMetrics } from './product-metrics.ts';
import { cachedFor, kept, within } from './readings.ts';

/** Takes features' gauges, and reads the figures that they share. */
export type Gauges = ReturnType<typeof gaugesOf>;

/** Adds the gauge of buckets that gauges of supporters leave out (docs/decisions/operation.md#metrics). */
export function gaugesOf({ gauge, gaugeBy, limited }: ProductMetrics, db: Pool, clock: Clock) {
  const silentServers = cachedFor(5_000, () => findSilentNodes(db, 2_000));
  const answering = async () => withoutNodes(db, await silentServers());
  gauge('buckets_unread', 'Buckets that gauges of supporters leave out, as their server does not answer.', async () => {
    const { length } = (await answering()).inBuckets();
    return db.inBuckets().length - length;
  });
  return {
    db,
    clock,
    gauge,
    gaugeBy,
    limited,
    /** Adds a gauge that is 1 while there is something to read. */
    flag: (name: string, help: string, read: () => Promise<unknown>) =>
      gauge(name, help, async () => ((await within(2_000, read())) === undefined ? 0 : 1)),
    /** Keeps a reading of the buckets that answer for `ms`. */
    keptOfAnswering: <Value>(ms: number, read: (pool: Pool) => Promise<Value>) =>
      kept(ms, async () => read(limited(await answering()))),
    secondsSince: (moment: Date): number => (clock.now().getTime() - moment.getTime()) / 1_000,
  };
}
