import type { Logger } from 'pino';
import { currentParent, inSpan } from '#ports/spans.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { currentTrace, traced } from '#telemetry/trace.ts';

/** The request a job was asked for in, so that its log lines are found with the request's. */
export interface Traced {
  requestId?: string | undefined;
  /** The span that it belongs to. */
  parent?: string | undefined;
}

export const withTrace = <Data extends object>(data: Data): Data & Traced => ({
  ...data,
  requestId: currentTrace(),
  parent: currentParent(),
});

/** Runs a job as part of its request, counts, times and logs it. Its errors pass on to the queue, which tries again. */
export async function observeJob(
  { log, metrics }: { log: Logger; metrics: ProductMetrics },
  queue: string,
  data: Traced | null,
  run: () => Promise<unknown>,
): Promise<void> {
  await traced(data?.requestId, async () => {
    const startedAt = performance.now();
    const end = (outcome: 'done' | 'failed', err?: unknown) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.jobs.inc({ queue, outcome });
      metrics.jobSeconds.observe({ queue }, seconds);
      const line = { queue, ms: Math.round(seconds * 1_000) };
      if (outcome === 'done') log.info(line, 'job done');
      else log.error({ ...line, err }, 'job failed');
    };
    try {
      await inSpan(() => ({ name: `job ${queue}`, kind: 'consumer', parent: data?.parent }), run);
      end('done');
    } catch (error) {
      end('failed', error);
      throw error;
    }
  });
}
