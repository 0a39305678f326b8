import { isoDate, sydneyTime } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { addBusinessMetrics } from '#runtime/business-metrics.ts';
import { productMetrics } from '#telemetry/product-metrics.ts';
import { ownDatabase } from '#testing/database.ts';

const database = ownDatabase();

test('a task counts as late from its due time until it has finished', async () => {
  const { pool } = database;
  const day = isoDate('2026-11-25');
  const clock = { now: () => sydneyTime(day, '01:40') };
  const metrics = addBusinessMetrics(productMetrics(pool), pool, clock);
  const late = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('timetable_late_seconds{'));
  expect(await late()).toEqual([
    'timetable_late_seconds{task="reconcile"} 600',
    'timetable_late_seconds{task="audit"} 2400',
  ]);
  await pool`insert into timetable_runs (task, due_at) values ('audit', ${sydneyTime(day, '01:00')})`;
  expect(await late()).toHaveLength(2);
  await pool`update timetable_runs set finished_at = now()`;
  expect(await late()).toEqual(['timetable_late_seconds{task="reconcile"} 600']);
});
