import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { findRolledUpUntil } from '#features/core/ledger/booking-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { closeAndRollUp } from './close-and-roll-up.ts';

const { database, on, gives, healthy } = paidClub();

/** Returns the pool of a close that waits before the transaction in which it books the sums. */
function heldBeforeBooking() {
  const [summed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begin: Pool['begin'] = async (work, mode) => {
    summed.resolve();
    await goOn.promise;
    return database.pool.begin(work, mode);
  };
  const pool = new Proxy(database.pool, {
    get: (whole, name) => (name === 'begin' ? begin : Reflect.get(whole, name)),
  });
  return { pool, summed: summed.promise, goOn: goOn.resolve };
}

test('a close overtaken by one of fewer days rolls up the remaining days', async () => {
  await gives(50);
  on('2026-11-25');
  await gives(20);
  const [earlier, later] = [heldBeforeBooking(), heldBeforeBooking()];
  const first = closeAndRollUp(earlier.pool, isoDate('2026-11-24'));
  await earlier.summed;
  const second = closeAndRollUp(later.pool, isoDate('2026-11-25'));
  await later.summed;
  earlier.goOn();
  await first;
  later.goOn();
  await second;
  expect(await findRolledUpUntil(database.pool)).toBe('2026-11-25');
  const collected = await database.rows`
    select booked_on as day, cents from club_entries where kind = 'collected' and account = 'collected' order by booked_on`;
  expect(collected).toEqual([
    { day: '2026-11-24', cents: 50 },
    { day: '2026-11-25', cents: 20 },
  ]);
  await healthy();
});
