import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { refuseWhileSuspended, resumeRuns, suspendRuns } from './suspended-runs.ts';

const database = ownDatabase();

const clock = { now: () => new Date('2026-11-25T00:00:00Z') };
const run = { runDate: isoDate('2026-11-23') };

test('a suspension lasts until an operator resumes, and the same run can suspend again', async () => {
  const { pool } = database;
  await refuseWhileSuspended(pool);
  await suspendRuns(pool, clock, run, 'a debit was returned with code 8');
  await expect(refuseWhileSuspended(pool)).rejects.toThrow(
    /suspended since the run of 2026-11-23: a debit was returned with code 8/,
  );
  await resumeRuns(pool, clock);
  await refuseWhileSuspended(pool);
  await suspendRuns(pool, clock, run, 'and again');
  await expect(refuseWhileSuspended(pool)).rejects.toThrow(/and again/);
});
