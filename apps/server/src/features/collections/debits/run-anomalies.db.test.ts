import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { previewRun } from './dry-run.ts';
import { runDebits, runDueDebits } from './run-debits.ts';
import { findSuspension, suspendRuns } from './suspended-runs.ts';

const api = ownApp();
beforeEach(() => forgetEverything(api.db));

const wednesday = isoDate('2026-11-25');
/** Amount debited from a supporter with $1,200 waiting. */
const asked = cents(1_202_59);

/** Inserts runs of the last two weeks. */
const pastRuns = (cents: number) => api.rows`
  insert into debit_runs (run_date, planned_at, finished_at, debits, cents)
  select day, day, day, 5, ${cents} from generate_series('2026-11-09'::date, '2026-11-23', interval '2 days') as day`;

/**
 * Creates a supporter debited before, with at least this number of cents waiting, in purchases of which each gives 499.
 */
async function waiting(cents: number, overrides = {}): Promise<TestSupporter> {
  const supporter = await api.supporter({ step: 500, ceilingCents: 100_000_00, ...overrides });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { cents: 430 })]);
  await runDebits(api, isoDate('2026-11-24'), { force: true });
  const purchases = Array.from({ length: Math.ceil(cents / 499) }, () => aPurchase(supporter, { cents: 1 }));
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), purchases);
  return supporter;
}
const debitsOf = ({ supporterId }: TestSupporter) => api.rows`
  select id from debits where supporter_id = ${supporterId} and run_date = ${wednesday}`;

test('a run far above the last two weeks’ is refused, and leaves nothing behind', async () => {
  const supporter = await waiting(1_200_00);
  await pastRuns(100_00);
  await expect(runDebits(api)).rejects.toMatchObject({ name: 'RunAnomaly', code: 'conflict' });
  await expect(runDebits(api)).rejects.toThrow(
    /is unusual: it asks for \$1,202\.59 .*where \$100\.00 is usual.*--confirm/,
  );
  expect(await debitsOf(supporter)).toEqual([]);
  expect(await findSuspension(api.db)).toBeUndefined();
});

test('a confirmed run is made, once, and its end is recorded', async () => {
  const supporter = await waiting(1_200_00);
  await pastRuns(100_00);
  expect(await runDebits(api, wednesday, { confirmed: asked })).toMatchObject({ planned: 1, submitted: 1 });
  expect(await debitsOf(supporter)).toHaveLength(1);
  expect(await runDueDebits(api, wednesday)).toMatchObject({ planned: 0 }); // its scheduled time has come
  const [run] = await api.rows`select debits, cents, finished_at from debit_runs where run_date = ${wednesday}`;
  expect(run).toMatchObject({ debits: 1, cents: 1202_59, finished_at: api.clock.now() });
});

test('confirmed after the timetable has suspended it, it is not suspended again when the timetable tries once more', async () => {
  await waiting(1_200_00);
  await pastRuns(100_00);
  await expect(runDueDebits(api, wednesday)).rejects.toMatchObject({ name: 'RunAnomaly' });
  await runDebits(api, wednesday, { confirmed: asked });
  expect(await runDueDebits(api, wednesday)).toMatchObject({ planned: 0 });
  expect(await findSuspension(api.db)).toBeUndefined();
});

test('a confirmation covers a tenth more than the amount shown; above that the run stops again, with its new amount', async () => {
  const supporter = await waiting(1_200_00);
  await pastRuns(100_00);
  await expect(runDebits(api, wednesday, { confirmed: cents(1_093_00) })).rejects.toThrow(
    /is unusual: .*; \$1,093\.00 was confirmed/,
  );
  expect(await debitsOf(supporter)).toEqual([]);
  expect(await findSuspension(api.db)).toMatchObject({ date: wednesday, isAnomaly: true, cents: asked });
  await expect(runDueDebits(api, wednesday)).rejects.toThrow('Debiting is suspended');
  expect(await runDebits(api, wednesday, { confirmed: cents(1_094_00) })).toMatchObject({ planned: 1, submitted: 1 });
  expect(await findSuspension(api.db)).toBeUndefined();
});

test('a confirmation stays with its run and covers later plans of that day up to its limit', async () => {
  await waiting(1_200_00);
  await pastRuns(100_00);
  await runDebits(api, wednesday, { confirmed: asked });
  await waiting(100_00, { uid: 'second', email: 'second@example.com' });
  const { totalCents, askedCents } = await previewRun(api.db, api.clock, api.tenants, wednesday, 0);
  expect(askedCents).toBe(asked + totalCents); // submitted debits of the run count too
  expect(await runDebits(api, wednesday)).toMatchObject({ planned: 1 });
  const third = await waiting(1_200_00, { uid: 'third', email: 'third@example.com' });
  await expect(runDebits(api, wednesday)).rejects.toThrow('$1,202.59 was confirmed');
  expect(await debitsOf(third)).toEqual([]);
});

test('first debits make no run unusual', async () => {
  await pastRuns(100_00);
  const supporter = await api.supporter({ step: 500, ceilingCents: 100_000_00 });
  const purchases = Array.from({ length: 300 }, () => aPurchase(supporter, { cents: 1 }));
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), purchases);
  expect(await runDebits(api)).toMatchObject({ planned: 1, submitted: 1, totalCents: 1_497_00 });
});

test('confirming does not lift a suspension due to the provider; a forced run does', async () => {
  await waiting(1_200_00);
  await pastRuns(100_00);
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'the run is unusual', asked);
  await expect(runDebits(api)).rejects.toThrow(/suspended .*once it is confirmed, it runs/);
  await suspendRuns(api.db, api.clock, { runDate: isoDate('2026-11-23') }, 'a debit was returned with code 8');
  await expect(runDebits(api, wednesday, { confirmed: asked })).rejects.toThrow(
    /code 8.*a forced run resumes debiting/,
  );
  expect(await runDebits(api, wednesday, { confirmed: asked, force: true })).toMatchObject({ planned: 1 });
});

test('confirming an unusual run does not lift a suspension that one of its own debits has caused since', async () => {
  await waiting(1_200_00);
  await pastRuns(100_00);
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'the run is unusual', asked);
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'a debit was returned with code 8');
  await expect(runDebits(api, wednesday, { confirmed: asked })).rejects.toThrow(/code 8/);
  expect(await findSuspension(api.db)).toMatchObject({ isAnomaly: false, cents: null });
});

test('a preview shows payers, amounts and anomalies, and writes nothing', async () => {
  const often = await api.supporter({ email: 'often@example.com', step: 500 });
  for (const day of ['2026-11-18', '2026-11-20', '2026-11-23']) {
    await recordRoundUps(api.db.of(often.supporterId), api.clock.now(), [aPurchase(often, { cents: 430 })]);
    await runDebits(api, isoDate(day));
  }
  await recordRoundUps(api.db.of(often.supporterId), api.clock.now(), [aPurchase(often, { cents: 1 })]);
  const newcomer = await api.supporter({ email: 'new@example.com' });
  await recordRoundUps(api.db.of(newcomer.supporterId), api.clock.now(), [aPurchase(newcomer)]);
  const paused = await api.supporter({ paused: true });
  await recordRoundUps(api.db.of(paused.supporterId), api.clock.now(), [aPurchase(paused)]);
  const before = await api.rows`select * from debit_runs order by run_date`;
  const preview = await previewRun(api.db, api.clock, api.tenants, wednesday, 10);
  expect(preview).toMatchObject({
    date: wednesday,
    debits: 2,
    totalCents: 569,
    anomalies: [],
    differences: { 'first debit': 1, 'far above their usual': 1 },
    lines: [
      { email: 'often@example.com', cents: 499, usualCents: 70, differences: ['far above their usual'] },
      { email: 'new@example.com', cents: 70, usualCents: null, differences: ['first debit'] },
    ],
    pastRuns: [
      { date: '2026-11-23', debits: 1, cents: 70 },
      { date: '2026-11-20', debits: 1, cents: 70 },
      { date: '2026-11-18', debits: 1, cents: 70 },
    ],
    suspension: null,
    suspendedTenants: [],
  });
  expect(JSON.stringify(preview)).not.toContain('12345678');
  expect(await api.rows`select * from debit_runs order by run_date`).toEqual(before);
  expect(await api.rows`select id from debits where state = 'planned'`).toEqual([]);
  expect(await runDebits(api)).toMatchObject({ planned: preview.debits, totalCents: preview.totalCents });
});
