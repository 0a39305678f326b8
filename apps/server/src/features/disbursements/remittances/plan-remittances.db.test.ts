import { addDays, cents, isoDate, noCents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { aClub, aSupporter, returned } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { closeAndRollUp } from './close-and-roll-up.ts';
import { planRemittances } from './plan-remittances.ts';
import { remitToClubs } from './remit-to-clubs.ts';
import { insertRemittances, listUnpaid } from './remittance-plan-repository.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);

const day = isoDate('2026-11-25');
const tenOClock = `${day}T00:00:00Z`;

/** Clears cents for a new club the day before; without an account it keeps them. */
async function aClubWith(amount: number, name: string, hasAccount = true): Promise<string> {
  const id = await aClub(database.pool, { name });
  if (hasAccount) await setBankDetails(database.pool, id, '12345678');
  clock.setTo('2026-11-24T00:00:00Z');
  await aClearedDebit(deps(), await aSupporter(database.pool, { clubId: id, directDebit }), amount);
  clock.setTo(tenOClock);
  return id;
}
const planInPages = (pageSize: number) => planRemittances(database.pool, clock, day, pageSize);
const planned = async () => {
  const rows = await database.rows<{ cents: number }[]>`select amount_cents as cents from remittances order by 1`;
  return rows.map(({ cents }) => cents);
};

test.each([1, 2, 3, 5_000])('every club is planned once, with pages of %i clubs', async (pageSize) => {
  await aClubWith(30, 'Rovers');
  await aClubWith(20, 'Rovers');
  await aClubWith(50, 'Zebras', false);
  await aClubWith(40, 'Albion', false);
  await aClub(database.pool, { name: 'Nothing yet' });
  await closeAndRollUp(database.pool, addDays(day, -1));
  const kept = await planInPages(pageSize);
  expect(kept.map(({ club, cents, reason }) => [club, cents, reason])).toEqual([
    ['Albion', 40, 'no bank details'],
    ['Zebras', 50, 'no bank details'],
  ]);
  expect(await planned()).toEqual([20, 30]);
});

test('plans made in parallel pay once', async () => {
  await aClubWith(30, 'Rovers');
  await closeAndRollUp(database.pool, addDays(day, -1));
  await Promise.all([1, 2, 5_000].map(planInPages));
  expect(await planned()).toEqual([30]);
});

test('a failed payment that was paid again since it was read ends the plan', async () => {
  const club = await aClubWith(30, 'Rovers');
  await remitToClubs(deps(), day);
  await applyOutcome(deps(), returned(directDebit.taken.at(-1)?.providerRef ?? '', 6));
  const [failed] = await listUnpaid(database.pool, [club]);
  const id = failed?.id ?? '';
  expect(failed).toEqual({ clubId: club, id, cents: 30, failures: 1, retryOn: '2026-11-26', hasNewDetails: false });
  const again = {
    ...{ clubId: club, cents: cents(30), firstDay: null, heldBack: noCents },
    ...{ retriedCents: cents(30), retried: [id], failures: 1 },
  };
  const planDay = { date: day, until: addDays(day, -1), now: clock.now(), bookedOn: day };
  const insert = (attempt: number) =>
    database.pool.begin((tx) => insertRemittances(tx, [{ ...again, attempt }], planDay));
  await insert(2);
  await expect(insert(3)).rejects.toThrow('Of 1 failed remittances 0 are still unpaid.');
  expect(await planned()).toEqual([30, 30]);
});
