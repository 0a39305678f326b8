import { breakerMetrics } from './breakers/metrics.ts';
import { outboxMetrics } from './outbox/metrics.ts';
import { supporterWorkMetrics } from './supporter-work/metrics.ts';

/** What every payment needs. */
export const core = {
  metrics: [breakerMetrics, outboxMetrics, supporterWorkMetrics],
};
