import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import {
  findSuspension,
  lastSuspendedAt,
  refuseWhileSuspended,
  resumeRuns,
  stopSuspendedRun,
  suspendRuns,
} from './suspended-runs.ts';

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

test("a suspension later than the operator's review stays", async () => {
  const { pool } = database;
  await resumeRuns(pool, clock);
  expect(await lastSuspendedAt(pool)).toBeNull();
  await suspendRuns(pool, clock, run, 'a debit was returned with code 8');
  await resumeRuns(pool, clock, 'all', null); // there was none at the time of the request
  await resumeRuns(pool, clock, 'all', new Date(clock.now().getTime() - 1));
  await expect(refuseWhileSuspended(pool)).rejects.toThrow(/code 8/);
  await resumeRuns(pool, clock, 'all', await lastSuspendedAt(pool));
  await refuseWhileSuspended(pool);
});

test('each cause of a suspension is recorded once, also beside the reason of an operator who left it suspended', async () => {
  const { pool } = database;
  const at = (iso: string) => ({ now: () => new Date(iso) });
  await resumeRuns(pool, clock);
  await suspendRuns(pool, clock, run, 'the run is unusual', cents(1_000_00));
  for (const because of ['code 8', 'the provider refuses us', 'code 8']) await suspendRuns(pool, clock, run, because);
  expect((await findSuspension(pool))?.because).toBe('code 8; also: the provider refuses us');
  await stopSuspendedRun(pool, 'we ask the provider');
  const seen = await lastSuspendedAt(pool);
  await suspendRuns(pool, at('2026-11-25T01:00:00Z'), run, 'code 5 of everybody');
  await suspendRuns(pool, at('2026-11-25T02:00:00Z'), run, 'an anomaly is no further cause', cents(1_000_00));
  expect((await findSuspension(pool))?.because).toBe(
    'code 8; also: the provider refuses us; also: code 5 of everybody; stopped: we ask the provider',
  );
  await resumeRuns(pool, at('2026-11-25T03:00:00Z'), 'all', seen); // for the causes known at the time of the request
  await expect(refuseWhileSuspended(pool)).rejects.toThrow(/code 5 of everybody/);
  await stopSuspendedRun(pool, 'we wait');
  expect((await findSuspension(pool))?.because).toMatch(/code 5 of everybody; stopped: we wait$/);
  await resumeRuns(pool, at('2026-11-25T03:00:00Z'));
  await suspendRuns(pool, clock, run, 'a new one');
  expect((await findSuspension(pool))?.because).toBe('a new one');
  await resumeRuns(pool, clock);
});
