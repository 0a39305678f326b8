import { isoDate } from '@sparechange/domain';
import {
  isBankingDay,
  isDebitDay,
  nextDebitDay,
  setExtraClosedDays,
  upcomingDebitDay,
} from '@sparechange/domain/banking-calendar';
import { timetableOf } from '@sparechange/domain/timetable';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants } from '#testing/makers.ts';
import {
  addExtraClosedDay,
  followExtraClosedDays,
  listExtraClosedDays,
  removeExtraClosedDay,
  watchCalendar,
} from './extra-closed-days.ts';

const database = emptiedDatabase();
const clock = aClock();
const wednesday = isoDate('2026-11-25');
const thursday = isoDate('2026-11-26');
const friday = isoDate('2026-11-27');
const monday = isoDate('2026-11-30');
beforeEach(() => clock.setTo('2026-11-23T00:00:00Z'));
afterEach(() => setExtraClosedDays([]));
const deps = () => ({ db: database.pool, clock });
const add = (day: string) => addExtraClosedDay(deps(), isoDate(day), 'a mourning day');
const remove = (day: string) => removeExtraClosedDay(deps(), isoDate(day));
const skip = (supporterId: string, day: string) =>
  database.rows`insert into debit_skips values (${supporterId}, ${day}, now())`;
const skipped = async () => {
  const skips = await database.rows<{ who: string; day: string }[]>`
    select supporter_id as who, run_date as day from debit_skips order by skipped_at, run_date`;
  return skips.map(({ who, day }) => [who, day]);
};

test('a declared day moves its run, tasks and skips to the next banking day; removing it restores everything', async () => {
  const { supporterId } = await aSupporter(database.pool);
  await database.rows`insert into debit_skips values (${supporterId}, ${wednesday}, now())`;
  expect(await add(wednesday)).toBe(true);
  expect(await add(wednesday)).toBe(false);
  expect(isBankingDay(wednesday)).toBe(false);
  expect(upcomingDebitDay(clock.now())).toBe(thursday);
  expect(timetableOf(wednesday).map(({ task }) => task)).not.toContain('settle');
  expect(timetableOf(thursday).map(({ task }) => task)).toContain('debit-run');
  const skips = await database.rows<{ day: string }[]>`select run_date as day from debit_skips order by 1`;
  expect(skips.map(({ day }) => day)).toContain(thursday);
  expect(await listExtraClosedDays(database.pool, wednesday)).toMatchObject([
    { day: wednesday, reason: 'a mourning day' },
  ]);
  for (const removed of [true, false]) expect(await removeExtraClosedDay(deps(), wednesday)).toBe(removed);
  expect([wednesday, thursday].map(isDebitDay)).toEqual([true, false]);
  expect(timetableOf(wednesday).map(({ task }) => task)).toContain('debit-run');
  expect(await skipped()).toEqual([[supporterId, wednesday]]);
  const log = await database.rows<
    { action: string }[]
  >`select action from audit_log where action like 'closed day%' order by at, id`;
  expect(log.map(({ action }) => action)).toEqual(['closed day added', 'closed day removed']);
});

test('declaring a day again restores no skip that was withdrawn since', async () => {
  const { supporterId } = await aSupporter(database.pool);
  await database.rows`insert into debit_skips values (${supporterId}, ${wednesday}, now())`;
  await add(wednesday);
  await database.rows`delete from debit_skips where run_date = ${thursday}`;
  expect(await add(wednesday)).toBe(false);
  expect(await database.rows`select from debit_skips where run_date = ${thursday}`).toHaveLength(0);
});

test('after its day is open again, a skipped run is the only one skipped', async () => {
  const [one, other] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  for (const { supporterId } of [one, other]) await skip(supporterId, friday);
  await add(friday);
  await database.rows`delete from debit_skips where supporter_id = ${other.supporterId} and run_date = ${monday}`;
  await remove(friday);
  expect(await skipped()).toEqual([[one.supporterId, friday]]);
});

test('a skipped run stays skipped when one of two closed days is open again', async () => {
  const [one, other] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  for (const { supporterId } of [one, other]) await skip(supporterId, friday);
  await add(monday);
  await add(friday);
  await database.rows`delete from debit_skips where supporter_id = ${other.supporterId} and run_date > ${monday}`;
  await remove(monday);
  expect(await skipped()).toEqual([
    [one.supporterId, friday],
    [one.supporterId, monday],
  ]);
  await remove(friday);
  expect(await skipped()).toEqual([[one.supporterId, friday]]);
});

test('a closed day is not opened again once the notices of its debits were due, unless they were sent', async () => {
  await add(wednesday);
  clock.setTo('2026-11-24T06:59:00Z');
  expect(await remove(wednesday)).toBe(true);
  await add(wednesday);
  clock.setTo('2026-11-24T07:00:00Z');
  await expect(remove(wednesday)).rejects.toThrow(
    'Supporters were not told the evening before that Wed 25 Nov 2026 has debits',
  );
  expect(isBankingDay(wednesday)).toBe(false);
  const later = isoDate('2026-12-02');
  clock.setTo('2026-12-01T08:00:00Z'); // closed only after the notices were sent
  await add(later);
  expect(await remove(later)).toBe(true);
});

test.each([
  ['a run in its place', wednesday, thursday, wednesday],
  ['the next run, with which it was merged', friday, monday, friday],
  ['a run that it did not move', isoDate('2026-11-24'), wednesday, wednesday],
])('a skip of %s made while the day was closed is for the right run once it is open', async (_, day, run, own) => {
  const { supporterId } = await aSupporter(database.pool);
  await add(day);
  await skip(supporterId, run);
  await remove(day);
  expect(await skipped()).toEqual([[supporterId, own]]);
});

test('a declared day that is a holiday as well leaves skips where they are when it is removed', async () => {
  const holiday = isoDate('2026-12-25');
  const { supporterId } = await aSupporter(database.pool);
  await database.rows`insert into extra_closed_days values (${holiday}, 'declared before it was listed', now())`;
  for (const day of [holiday, nextDebitDay(holiday)])
    await database.rows`insert into debit_skips values (${supporterId}, ${day}, ${clock.now()})`;
  expect(await remove(holiday)).toBe(true);
  expect(await skipped()).toEqual([
    [supporterId, holiday],
    [supporterId, nextDebitDay(holiday)],
  ]);
});

test('a day whose skips cannot be moved is not declared', async () => {
  await database.bucket.unsafe('alter table debit_skips rename to debit_skips_gone');
  await expect(
    add(wednesday).finally(() => database.bucket.unsafe('alter table debit_skips_gone rename to debit_skips')),
  ).rejects.toThrow('debit_skips');
  expect(await listExtraClosedDays(database.pool, wednesday)).toEqual([]);
  expect(isBankingDay(wednesday)).toBe(true);
});

test('a declaration that fails in the middle leaves every skip where it was', async () => {
  const [first, second] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  for (const { supporterId } of [first, second])
    await database.rows`insert into debit_skips values (${supporterId}, ${wednesday}, now())`;
  await database.rows`insert into debit_skips values (${second.supporterId}, ${thursday}, now())`;
  await database.pool.unsafe('alter table direct_entry.files rename column clears_on to gone');
  await expect(
    add(wednesday).finally(() =>
      database.pool.unsafe('alter table direct_entry.files rename column gone to clears_on'),
    ),
  ).rejects.toThrow('clears_on');
  const skips = await database.rows<{ id: string }[]>`
    select supporter_id as id from debit_skips where run_date = ${thursday}`;
  expect(skips).toEqual([{ id: second.supporterId }]);
  expect(isBankingDay(wednesday)).toBe(true);
  expect(await add(wednesday)).toBe(true);
});

test.each([
  ['2026-11-20', 'is past'],
  ['2026-11-28', 'no banking day anyway'],
  ['2026-12-25', 'no banking day anyway'],
  ['2029-11-26', 'days ahead'],
])('%s is refused: %s', async (day, why) => expect(add(day)).rejects.toThrow(why));

test('a day whose debits are planned is refused, and one that has passed is not removed', async () => {
  const supporter = await aSupporter(database.pool);
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { day: '2026-11-23' }),
  ]);
  await planDebits(database.pool, clock, someTenants(aTenant()), wednesday);
  await expect(add(wednesday)).rejects.toThrow('planned already');
  await add(thursday);
  clock.setTo('2026-11-27T00:00:00Z');
  await expect(removeExtraClosedDay(deps(), thursday)).rejects.toThrow('is past');
});

test('another process on the database learns of it immediately', async () => {
  const other = database.open(2);
  const following = await followExtraClosedDays(other, clock);
  try {
    await database.rows`insert into extra_closed_days values (${wednesday}, 'a test', now())`;
    await database.rows`select pg_notify('extra_closed_days', '')`;
    await vi.waitFor(() => expect(isBankingDay(wednesday)).toBe(false), 60_000);
  } finally {
    await following.close();
    await other.end();
  }
});

test('a file at the bank clears a banking day later, and on its own day once the closed day is open again', async () => {
  await database.rows`
    insert into direct_entry.files (name, kind, process_on, entries, total_cents, content_hash, written_at, lodged_at, clears_on)
    values ('one', 'debit', '2026-11-23', 1, 100, 'x', now(), now(), '2026-11-25'),
      ('two', 'debit', '2026-11-23', 1, 100, 'y', now(), now(), '2026-11-24'),
      ('three', 'debit', '2026-11-27', 1, 100, 'z', now(), now(), '2026-12-01')`;
  const clears = async () => {
    const files = await database.rows<{ clears: string }[]>`
      select clears_on as clears from direct_entry.files order by written_at, content_hash`;
    return files.map(({ clears }) => clears);
  };
  await add(wednesday);
  expect(await clears()).toEqual(['2026-11-26', '2026-11-24', '2026-12-01']);
  await add(thursday);
  expect(await clears()).toEqual(['2026-11-27', '2026-11-24', '2026-12-01']);
  await remove(wednesday);
  expect(await clears()).toEqual(['2026-11-25', '2026-11-24', '2026-12-01']);
  await remove(thursday);
  expect(await clears()).toEqual(['2026-11-25', '2026-11-24', '2026-12-01']);
});

test('the end of the list of holidays raises an alarm once a month during its last year', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await watchCalendar({ ...deps(), log });
  expect(lines).toEqual([]);
  clock.setTo('2032-03-01T00:00:00Z');
  for (let time = 0; time < 2; time += 1) await watchCalendar({ ...deps(), log });
  expect(lines).toHaveLength(1);
  clock.setTo('2032-04-01T00:00:00Z');
  await watchCalendar({ ...deps(), log });
  expect(lines).toHaveLength(2);
});
