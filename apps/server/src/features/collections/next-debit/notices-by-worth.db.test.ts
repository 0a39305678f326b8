import { register } from '@sparechange/contract';
import { addDays, type IsoDate, isoDate, type RoundUpStep, sydneyTime } from '@sparechange/domain';
import { isDebitDay } from '@sparechange/domain/banking-calendar';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { timeOf } from '#testing/timetable.ts';
import { queueDebitNotices } from './queue-debit-notices.ts';
import { setDebitNotices } from './settings.ts';

const api = ownApp();
const firstDay = isoDate('2026-11-02'); // a Monday

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo(sydneyTime(firstDay, '09:00').toISOString());
});

async function aNewSupporter(step: RoundUpStep = 100): Promise<TestSupporter> {
  const supporter = await api.supporter({ step, roundsFrom: firstDay });
  await api.rows`
    update supporters set debit_notice_frequency = 'weekly', debit_notices_by_worth = true
    where supporter_id = ${supporter.supporterId}`;
  return supporter;
}
const buys = (supporter: TestSupporter, day: IsoDate, cents: number) =>
  recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { day, cents })]);
const frequencyOf = async ({ supporterId }: TestSupporter) =>
  (
    await api.rows<{ frequency: string }[]>`
    select debit_notice_frequency as frequency from supporters where supporter_id = ${supporterId}`
  )[0]?.frequency;
const kinds = async () =>
  (
    await api.rows<{ kind: string; count: number }[]>`
    select facts->>'kind' as kind, count(*)::int as count from mails group by 1 order by 1`
  ).map(({ kind, count }) => [kind, count]);

/** Lets days pass: a run in the morning, purchases, and in the evening the emails before the next day's run. */
async function liveUntil(last: IsoDate, shop: (day: IsoDate) => Promise<unknown>, first = firstDay): Promise<void> {
  for (let day = first; day <= last; day = addDays(day, 1)) {
    if (isDebitDay(day)) {
      api.clock.setTo(timeOf('debit-run', day));
      await planDebits(api.db, api.clock, api.tenants, day);
      await submitDebits(api);
    }
    api.clock.setTo(sydneyTime(day, '18:00').toISOString());
    await shop(day);
    if (isDebitDay(addDays(day, 1))) await queueDebitNotices(api, addDays(day, 1));
  }
}

test('a new supporter is emailed by the amounts they give, an existing one as before', async () => {
  const clubId = await aClub(api.db);
  const form = { firstName: 'A', lastName: 'B', mobile: '0400000000', tenantA: 'default', referrer: null };
  const uid = 'new-one';
  const email = 'new@example.com';
  const answer = await api.call(register, { ...form, email, supportingClubId: clubId, userId: uid }, { uid });
  expect(answer.status).toBe(200);
  const rows = await api.rows`
    select debit_notice_frequency as frequency, debit_notices_by_worth as "byWorth" from supporters where uid = ${uid}`;
  expect([...rows]).toEqual([{ frequency: 'weekly', byWorth: true }]);
  const before = await api.supporter();
  const kept = await api.rows`
    select debit_notice_frequency as frequency, debit_notices_by_worth as "byWorth" from supporters
    where supporter_id = ${before.supporterId}`;
  expect([...kept]).toEqual([{ frequency: 'each_debit', byWorth: false }]);
});

test('the first debit is announced; then the week, while a usual one is under $5, and each debit from $5', async () => {
  const small = await aNewSupporter();
  const large = await aNewSupporter();
  const shop = async (day: IsoDate) => {
    await buys(small, day, 130);
    await buys(large, day, 125);
  };
  await liveUntil(isoDate('2026-11-08'), shop);
  expect(await kinds()).toEqual([['debit_notice', 3]]);
  expect([await frequencyOf(small), await frequencyOf(large)]).toEqual(['weekly', 'each_debit']);
  await liveUntil(isoDate('2026-11-15'), shop, isoDate('2026-11-09'));
  expect(await kinds()).toEqual([
    ['debit_notice', 6],
    ['debit_summary', 1],
  ]);
  const [{ facts } = { facts: {} }] = await api.rows<{ facts: object }[]>`
    select facts from mails where facts->>'kind' = 'debit_summary'`;
  expect(facts).toMatchObject({ from: '2026-11-04', run: '2026-11-16', debits: 5, debitedCents: 770, nextCents: 210 });
});

test("a choice ends the rule by amounts, even if it matches the rule's result", async () => {
  const supporter = await aNewSupporter();
  const { supporterId } = supporter;
  await setDebitNotices(api.db.of(supporterId), api.clock, { supporterId, debitNotices: 'weekly', actor: 'supporter' });
  await liveUntil(isoDate('2026-11-22'), (day) => buys(supporter, day, 101));
  expect(await frequencyOf(supporter)).toBe('weekly');
});

test('in 26 days a crowd of forty has at most 1.2 pre-debit notices per person and week', async () => {
  const crowd = await Promise.all(
    Array.from({ length: 40 }, (_, place) => aNewSupporter(place % 10 === 0 ? 200 : 100)),
  );
  const prices = [435, 180, 2260, 745, 1290, 399, 5015];
  await liveUntil(addDays(firstDay, 25), async (day) => {
    for (const [place, supporter] of crowd.entries()) {
      const at = place + Number(day.slice(8));
      if (at % 7 !== 0) await buys(supporter, day, (prices[at % prices.length] ?? 0) + place);
    }
  });
  const mails = (await kinds()).reduce((sum, [, count]) => sum + Number(count), 0);
  const [given] = await api.rows<{ cents: number }[]>`select sum(counted_cents)::int as cents from round_ups`;
  expect((given?.cents ?? 0) / 40 / (26 / 7)).toBeGreaterThan(200); // they do give
  expect(mails / 40 / (26 / 7)).toBeLessThanOrEqual(1.2);
  expect(mails).toBeGreaterThanOrEqual(40 * 3);
});
