import type { Gauges } from '#telemetry/gauges.ts';
import { within } from '#telemetry/readings.ts';
import { listOpenTasks } from './run-timetable.ts';

/** Adds the gauge of tasks that are due today and not done. */
export function timetableMetrics({ db, clock, gaugeBy }: Gauges): void {
  gaugeBy('task', 'timetable_late_seconds', 'For how long tasks of today have been due and not done.', async () => {
    const now = clock.now();
    const open = await within(2_000, listOpenTasks(db, now));
    // The first of a task's times is the longest ago.
    const late = new Map(open.toReversed().map(({ task, dueAt }) => [task, (now.getTime() - dueAt.getTime()) / 1_000]));
    return [...late].map(([name, value]) => ({ name, value }));
  });
}
