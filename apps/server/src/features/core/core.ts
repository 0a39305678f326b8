import { breakerMetrics } from './breakers/metrics.ts';
import { outboxMetrics } from './outbox/metrics.ts';
import { supporterWorkMetrics } from './supporter-work/metrics.ts';

/** The part of the product that every payment needs. */
export const core = {
  metrics: [breakerMetrics, outboxMetrics, supporterWorkMetrics],
};
