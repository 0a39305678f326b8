import type { Gauges } from '#telemetry/gauges.ts';
import { countFailing, countSupporters, findOldestUntried } from './watch-work.ts';

export function supporterWorkMetrics({ clock, gauge, gaugeBy, keptOfAnswering, secondsSince }: Gauges): void {
  const failing = keptOfAnswering(60_000, (pool) => countFailing(pool, clock.now()));
  const supporters = keptOfAnswering(15 * 60_000, (pool) => countSupporters(pool, clock.now()));
  gaugeBy(
    'task',
    'bank_link_failed_ratio',
    'Share of supporters whose work through the bank link fails; counted each minute, of supporters counted each quarter of an hour.',
    async () => {
      const failed = await failing();
      if (failed.length === 0) return [];
      const of = await supporters();
      return failed.map(({ kind, failing }) => ({ name: kind, value: failing / Math.max(of.get(kind) ?? 0, failing) }));
    },
  );
  gaugeBy('task', 'supporter_work_parked', 'Supporters whose work has failed for a day.', async () =>
    (await failing()).map(({ kind, parked }) => ({ name: kind, value: parked })),
  );
  const oldest = keptOfAnswering(60_000, (pool) => findOldestUntried(pool, clock.now()));
  gauge('supporter_work_waiting_seconds', 'Since the longest waiting work was due that was never tried.', async () => {
    const since = await oldest();
    return since ? secondsSince(since) : 0;
  });
}
