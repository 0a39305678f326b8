import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { addBusinessMetrics } from '#runtime/business-metrics.ts';
import { productMetrics } from '#telemetry/product-metrics.ts';
import { ownDatabase } from '#testing/database.ts';
import { timeOf } from '#testing/timetable.ts';

const database = ownDatabase();

test('a task counts as late from its due time until it has finished', async () => {
  const { pool } = database;
  const day = isoDate('2026-11-25');
  const now = new Date(timeOf('reconcile', day).getTime() + 600_000);
  const clock = { now: () => now };
  const auditLateSeconds = (now.getTime() - timeOf('audit', day).getTime()) / 1000;
  const metrics = addBusinessMetrics(productMetrics(pool), pool, clock);
  const late = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('timetable_late_seconds{'));
  expect(await late()).toEqual([
    'timetable_late_seconds{task="reconcile"} 600',
    `timetable_late_seconds{task="audit"} ${auditLateSeconds}`,
  ]);
  await pool`insert into timetable_runs (task, due_at) values ('audit', ${timeOf('audit', day)})`;
  expect(await late()).toHaveLength(2);
  await pool`update timetable_runs set finished_at = now()`;
  expect(await late()).toEqual(['timetable_late_seconds{task="reconcile"} 600']);
});
