import { addDays, type IsoDate, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, cleared, type TestSupporter } from '#testing/makers.ts';
import { paidClub } from '#testing/paid-club.ts';
import { figuresOfClub } from './figures-of-club.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const paid = paidClub();
const firstMonday = isoDate('2026-08-03');
const weeksBefore = 4;
const crowd = 10;

/** Draws whole numbers below a bound, the same ones in each run. */
function chance(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}
const draw = chance(15);

async function buys(supporter: TestSupporter, monday: IsoDate): Promise<void> {
  const bought = Array.from({ length: 3 + draw(4) }, (_, place) =>
    aPurchase(supporter, { day: addDays(monday, draw(5)), cents: 1_000 + draw(1_000), description: `SHOP ${place}` }),
  );
  await recordRoundUps(
    paid.database.pool.of(supporter.supporterId),
    new Date(`${addDays(monday, 6)}T00:00:00Z`),
    bought,
  );
}

/** Debits what was bought until a Monday, and pays the club what has cleared by that Wednesday. */
async function debitsAndPays(monday: IsoDate): Promise<void> {
  const deps = paid.deps();
  const { db, clock, tenants, directDebit } = deps;
  paid.on(monday);
  const before = directDebit.taken.length;
  await planDebits(db, clock, tenants, monday);
  await submitDebits(deps);
  paid.on(addDays(monday, 2));
  for (const { kind, providerRef } of directDebit.taken.slice(before))
    if (kind === 'debit') await applyOutcome(deps, { ...cleared(providerRef), at: clock.now() });
  paid.on(addDays(monday, 3));
  await remitToClubs(deps);
}

test('the forecast of a crowd with backdated first debits is within a quarter of what the next four weeks bring', async () => {
  const { pool } = paid.database;
  const supporters: TestSupporter[] = [];
  for (let person = 0; person < crowd; person += 1) {
    const { directDebit } = paid.deps();
    const supporter = await aSupporter(pool, { clubId: paid.id(), step: 500, directDebit });
    await pool.of(supporter.supporterId)`
      update supporters set rounds_from = ${addDays(firstMonday, -7 * weeksBefore)}, onboarded_on = ${firstMonday}
      where supporter_id = ${supporter.supporterId}`;
    supporters.push(supporter);
  }
  const week = async (number: number) => {
    for (const supporter of supporters) await buys(supporter, addDays(firstMonday, 7 * number));
  };
  for (let number = -weeksBefore; number < 0; number += 1) await week(number);
  for (let number = 0; number < 7; number += 1) {
    await week(number);
    await debitsAndPays(addDays(firstMonday, 7 * (number + 1)));
  }
  const made = addDays(firstMonday, 7 * 7 + 3);
  const { forecast, weeks: weeksSoFar } = await figuresOfClub(pool, paid.id(), made);
  const from = addDays(firstMonday, 7 * 7);
  expect(forecast?.from).toBe(from);

  for (let number = 7; number < 11; number += 1) {
    await week(number);
    await debitsAndPays(addDays(firstMonday, 7 * (number + 1)));
  }
  const { weeks } = await figuresOfClub(pool, paid.id(), addDays(from, 28));
  const sumOf = (of: readonly { cents: number }[]) => of.reduce((sum, { cents }) => sum + cents, 0);
  const brought = sumOf(weeks.filter((each) => each.from >= from && each.from < addDays(from, 28)));
  const offBy = (expected: number) => Math.abs(expected - brought) / brought;
  expect(offBy(forecast?.expectedCents ?? 0)).toBeLessThan(0.25);

  const past = weeksSoFar.filter(({ from: monday, cents }) => monday < from && cents > 0);
  expect(offBy((4 * sumOf(past)) / past.length)).toBeGreaterThan(0.25); // with the backdated part it would mislead
  await paid.healthy();
});
