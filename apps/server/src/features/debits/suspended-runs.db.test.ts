import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { lastSuspendedAt, refuseWhileSuspended, resumeRuns, suspendRuns } from './suspended-runs.ts';

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

test('a suspension that is later than what an operator has looked at stays', async () => {
  const { pool } = database;
  await resumeRuns(pool, clock);
  expect(await lastSuspendedAt(pool)).toBeNull();
  await suspendRuns(pool, clock, run, 'a debit was returned with code 8');
  await resumeRuns(pool, clock, 'all', null); // there was none when it was asked for
  await resumeRuns(pool, clock, 'all', new Date(clock.now().getTime() - 1));
  await expect(refuseWhileSuspended(pool)).rejects.toThrow(/code 8/);
  await resumeRuns(pool, clock, 'all', await lastSuspendedAt(pool));
  await refuseWhileSuspended(pool);
});
