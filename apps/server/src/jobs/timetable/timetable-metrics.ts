import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { within } from '#telemetry/readings.ts';
import { listOpenTasks } from './run-timetable.ts';

/** Adds the gauge of tasks due today and not done. */
export function addTimetableMetrics({ gaugeBy }: ProductMetrics, db: Pool, clock: Clock): void {
  gaugeBy('task', 'timetable_late_seconds', 'For how long tasks of today have been due and not done.', async () => {
    const now = clock.now();
    const open = await within(2_000, listOpenTasks(db, now));
    // The first of a task's times is the longest ago.
    const late = new Map(open.toReversed().map(({ task, dueAt }) => [task, (now.getTime() - dueAt.getTime()) / 1_000]));
    return [...late].map(([name, value]) => ({ name, value }));
  });
}
