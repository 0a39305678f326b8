import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { domains } from '#registry.ts';
import { gaugesOf } from '#telemetry/gauges.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';

/** Adds the gauges of every domain to those of a process that shows them. */
export function addBusinessMetrics(metrics: ProductMetrics, db: Pool, clock: Clock): ProductMetrics {
  const gauges = gaugesOf(metrics, db, clock);
  for (const { metrics: added = [] } of domains) for (const add of added) add(gauges);
  return metrics;
}
