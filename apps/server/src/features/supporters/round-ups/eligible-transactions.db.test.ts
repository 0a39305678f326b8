import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { saveRoundUpsOn } from '#features/supporters/accounts/account-repository.ts';
import { ownDatabase } from '#testing/database.ts';
import {
  aClock,
  anAccount,
  aPurchase,
  aSupporter,
  type PurchaseOverrides,
  type SupporterOverrides,
  type TestSupporter,
} from '#testing/makers.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';
import { recordRoundUps } from './record-round-ups.ts';

const database = ownDatabase();

const now = new Date('2026-11-24T22:00:00Z');
/** Makes a purchase each day and returns the rounded ones. */
async function rounded(supporter: TestSupporter, days: string[], overrides: PurchaseOverrides = {}): Promise<string[]> {
  await recordRoundUps(
    database.pool.of(supporter.supporterId),
    now,
    days.map((day) => aPurchase(supporter, { ...overrides, day })),
  );
  const rows = await database.rows<{ day: string }[]>`
    select posted_on as day from round_ups where supporter_id = ${supporter.supporterId} order by posted_on`;
  return rows.map((row) => row.day);
}
const supporterWith = (overrides: SupporterOverrides) => aSupporter(database.pool, overrides);

test('purchases count from the day the supporter finished onboarding', async () => {
  const supporter = await supporterWith({ roundsFrom: '2026-11-20' });
  expect(await rounded(supporter, ['2026-11-19', '2026-11-20', '2026-11-21'])).toEqual(['2026-11-20', '2026-11-21']);
});

test('before onboarding is finished nothing counts', async () => {
  expect(await rounded(await supporterWith({ roundsFrom: null }), ['2026-11-24'])).toEqual([]);
});

test('without an active consent nothing counts', async () => {
  expect(await rounded(await supporterWith({ consentActive: false }), ['2026-11-24'])).toEqual([]);
});

test('an account that is not tracked gives nothing', async () => {
  const supporter = await supporterWith({});
  const account = await anAccount(database.pool, supporter, { roundUpsOn: false });
  expect(await rounded(supporter, ['2026-11-24'], { account })).toEqual([]);
});

test('an account switched on later counts from that day', async () => {
  const supporter = await supporterWith({ roundsFrom: '2026-11-01' });
  const account = await anAccount(database.pool, supporter, { roundUpsOn: false });
  await saveRoundUpsOn(
    database.pool.of(supporter.supporterId),
    supporter.supporterId,
    account.id,
    true,
    isoDate('2026-11-20'),
  );
  expect(await rounded(supporter, ['2026-11-19', '2026-11-20'], { account })).toEqual(['2026-11-20']);
});

test('an account switched off and on again does not count for the days between', async () => {
  const supporter = await supporterWith({ roundsFrom: '2026-11-01' });
  const { account, supporterId } = supporter;
  await saveRoundUpsOn(database.pool.of(supporterId), supporterId, account.id, false, isoDate('2026-11-10'));
  await saveRoundUpsOn(database.pool.of(supporterId), supporterId, account.id, true, isoDate('2026-11-20'));
  expect(await rounded(supporter, ['2026-11-15', '2026-11-20'])).toEqual(['2026-11-20']);
});

test('choosing an account again that was tracked already changes nothing', async () => {
  const supporter = await supporterWith({ roundsFrom: '2026-11-01' });
  await saveRoundUpsOn(
    database.pool.of(supporter.supporterId),
    supporter.supporterId,
    supporter.account.id,
    true,
    isoDate('2026-11-20'),
  );
  expect(await rounded(supporter, ['2026-11-15'])).toEqual(['2026-11-15']);
});

test('while round-ups are paused no purchase of any day is recorded', async () => {
  expect(await rounded(await supporterWith({ paused: true }), ['2026-10-01', '2026-11-24'])).toEqual([]);
});

test('after resuming, the days of the pause are left out, from its first to the day before the last', async () => {
  const supporter = await supporterWith({});
  const clock = aClock('2026-11-10T01:00:00Z');
  await pauseRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId, 'supporter');
  clock.setTo('2026-11-12T01:00:00Z');
  await resumeRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId);
  const days = ['2026-11-09', '2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'];
  expect(await rounded(supporter, days)).toEqual(['2026-11-09', '2026-11-12', '2026-11-13']);
});

test('pausing and resuming within a day leaves no day out', async () => {
  const supporter = await supporterWith({});
  const clock = aClock('2026-11-10T01:00:00Z');
  await pauseRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId, 'supporter');
  clock.setTo('2026-11-10T02:00:00Z');
  await resumeRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId);
  expect(await rounded(supporter, ['2026-11-10'])).toEqual(['2026-11-10']);
});

test('every one of several pauses is left out', async () => {
  const supporter = await supporterWith({});
  const clock = aClock();
  for (const [from, until] of [
    ['05', '07'],
    ['12', '13'],
  ]) {
    clock.setTo(`2026-11-${from}T01:00:00Z`);
    await pauseRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId, 'supporter');
    clock.setTo(`2026-11-${until}T01:00:00Z`);
    await resumeRoundUps(database.pool.of(supporter.supporterId), clock, supporter.supporterId);
  }
  const days = Array.from({ length: 10 }, (_, at) => `2026-11-${String(at + 5).padStart(2, '0')}`);
  expect((await rounded(supporter, days)).map((day) => day.slice(8))).toEqual([
    '07',
    '08',
    '09',
    '10',
    '11',
    '13',
    '14',
  ]);
});

test('pausing twice makes one pause, resuming twice ends one', async () => {
  const { supporterId } = await supporterWith({});
  const clock = aClock('2026-11-10T01:00:00Z');
  await Promise.all([1, 2, 3].map(() => pauseRoundUps(database.pool.of(supporterId), clock, supporterId, 'supporter')));
  await pauseRoundUps(database.pool.of(supporterId), clock, supporterId, 'two returns');
  await resumeRoundUps(database.pool.of(supporterId), clock, supporterId);
  await resumeRoundUps(database.pool.of(supporterId), clock, supporterId);
  const pauses =
    await database.rows`select paused_on, resumed_on, reason from pauses where supporter_id = ${supporterId}`;
  expect([...pauses]).toEqual([{ paused_on: '2026-11-10', resumed_on: '2026-11-10', reason: 'supporter' }]);
  const notes = await database.rows`select action from audit_log where supporter_id = ${supporterId} order by id`;
  expect(notes.map((note) => note.action)).toEqual(['paused round-ups', 'resumed round-ups']);
});

test('from the day the campaign ends nothing counts', async () => {
  const supporter = await supporterWith({});
  expect(await rounded(supporter, ['2026-11-23', '2026-11-24'], { endsOn: '2026-11-24' })).toEqual(['2026-11-23']);
});
