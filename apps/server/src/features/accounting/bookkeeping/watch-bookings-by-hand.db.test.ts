import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aClub, silentLog } from '#testing/makers.ts';
import { correctLedger } from './correct-ledger.ts';
import { watchBookingsByHand } from './watch-bookings-by-hand.ts';

const database = emptiedDatabase();
const clock = aClock();
const deps = () => ({ db: database.pool, clock, log: silentLog });
const alarms = async () => {
  await watchBookingsByHand(deps());
  const rows = await database.rows<{ about: string; sentence: string }[]>`
    select about, sentence from alarms where name = 'bookings_by_hand' order by about`;
  return [...rows];
};

/** Credits $50 to each of these clubs, by one person. */
async function credits(from: number, until: number): Promise<void> {
  for (let count = from; count < until; count += 1) {
    const clubId = await aClub(database.pool);
    const amount = cents(50_00);
    const correction = { id: `gift-${count}`, debit: 'operator_funds', credit: 'owed_to_clubs', amount } as const;
    expect(await correctLedger(deps(), { ...correction, reason: 'a gift', clubId }, amount)).toEqual({
      result: 'booked',
    });
  }
}

test('small bookings of one day for many clubs raise an alarm above a total, and again when it doubles', async () => {
  await credits(0, 4);
  expect(await alarms()).toEqual([]);
  await credits(4, 5);
  expect(await alarms()).toMatchObject([
    { about: expect.stringMatching(/ 0$/), sentence: expect.stringMatching(/^\$250\.00 .* 5 corrections of 5 clubs/) },
  ]);
  await credits(5, 7);
  expect(await alarms()).toHaveLength(1);
  await credits(7, 12);
  expect(await alarms()).toHaveLength(2);
});

test('bookings approved by two people are not counted', async () => {
  await credits(0, 5);
  await database.rows`
    insert into approvals (act, arguments, summary, state, asked_by_kind, asked_by, asked_at, expires_at, decided_by_kind,
      decided_by, decided_at)
    select 'ledger_correction', jsonb_build_object('id', source), 'a gift', 'done', 'console', 'one', now(), now(), 'console',
      'two', now() from platform_entries where kind = 'correction' and source = 'gift-0' and cents > 0`;
  expect(await alarms()).toEqual([]);
});
