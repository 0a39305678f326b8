import { randomUUID } from 'node:crypto';
import { retrieveMoney, sumPayments } from '@sparechange/contract/console';
import { addDays, isoDate, sydneyTime } from '@sparechange/domain';
import { beforeAll, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';

const api = ownApp({}, {}, 4);
const today = isoDate('2026-11-25');
let finance: TestOperator;

/** Pays a club, at the end of a Sydney day. */
async function aPayout(clubId: string, day: string, amount: number, state = 'cleared') {
  await api.db`
    insert into remittances (id, club_id, run_date, attempt, amount_cents, first_day, last_day, reference, state, planned_at, provider_ref, outcome_at)
    values (${randomUUID()}, ${clubId}, ${day}, 1, ${amount}, ${day}, ${day}, ${`CL${randomUUID().slice(0, 8)}`}, ${state},
      ${new Date(sydneyTime(addDays(isoDate(day), 1), '00:00').getTime() - 1)}, ${randomUUID()}, now())`;
}

/** Days at the edges of weeks and of the month, each with a different amount in each bucket. */
const days = ['2026-10-18', '2026-10-19', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-22', '2026-11-23', today];

beforeAll(async () => {
  api.clock.setTo('2026-11-25T01:00:00Z');
  finance = await anOperator(api.db, { roles: ['finance'] });
  const clubId = await aClub(api.db);
  for (const [place, uid] of uidsInEachBucket(4, 1).entries()) {
    const person = await aSupporter(api.db, { uid, clubId });
    for (const [at, day] of days.entries()) {
      const amount = 100 * (at + 1) + place;
      await aPastDebit(api.db, person, { day, amount });
      await aPastDebit(api.db, person, { day, amount: 7 * amount, kind: 'donation' });
    }
    await aPastDebit(api.db, person, { day: '2026-11-16', amount: 999, reversedOn: '2026-11-17' });
    // At the two edges of a Sydney day, which have other days in London.
    const edges = [
      sydneyTime(isoDate('2026-11-01'), '00:00'),
      new Date(sydneyTime(isoDate('2026-11-01'), '00:00').getTime() - 1),
    ];
    for (const at of edges) {
      const id = await aPastDebit(api.db, person, { day: '2026-11-03', amount: 11 });
      await api.db.of(
        person.supporterId,
      )`update debits set planned_at = ${at} where id = ${id} and supporter_id = ${person.supporterId}`;
    }
  }
  await aPayout(clubId, '2026-10-31', 1_000);
  await aPayout(clubId, '2026-11-01', 2_000);
  await aPayout(clubId, '2026-11-24', 4_000);
  await aPayout(clubId, '2026-11-25', 8_000, 'submitted');
});

/** Sums what Payments lists as cleared between two days. */
async function paid(from: string, to: string) {
  const { body } = await callConsole(api.app, sumPayments, { state: 'cleared', from, to }, finance);
  const of = (...kinds: string[]) =>
    body.sums.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { cents }) => sum + cents, 0);
  return { collectedCents: of('debit', 'donation'), paidOutCents: of('remittance', 'deposit', 'repayment') };
}

test('the figures of the month and of each week are the sums in Payments for these days', async () => {
  const { status, body } = await callConsole(api.app, retrieveMoney, {}, finance);
  expect(status).toBe(200);
  const month = await paid('2026-11-01', today);
  expect(month.collectedCents).toBeGreaterThan(0);
  expect(month.paidOutCents).toBe(6_000);
  expect(body.month).toEqual({
    ...{ from: '2026-11-01', to: today },
    ...month,
    heldCents: month.collectedCents - month.paidOutCents,
  });
  expect(body.weeks.map(({ from }) => from)).toEqual([
    '2026-10-19',
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
  ]);
  for (const { from, ...sums } of body.weeks) expect(sums).toEqual(await paid(from, addDays(isoDate(from), 6)));
});

test('the share of returned debits is that of the debits which banks have answered', async () => {
  const { body } = await callConsole(api.app, retrieveMoney, {}, finance);
  // Each of four people has two payments on seven of the days, two at the edges of a day, and one that was reversed.
  expect(body.returned).toEqual({ debits: 4, cents: 4 * 999, ofDebits: 4 * 17 });
});
