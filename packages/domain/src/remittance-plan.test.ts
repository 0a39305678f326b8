import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type IsoDate, isoDate } from './days.ts';
import { add, type Cents, cents, noCents, subtract, total } from './money.ts';
import { type ClubFunds, planRemittancesOf, shareWithReserve, type UnpaidRemittance } from './remittance-plan.ts';

const day = isoDate('2026-11-26');
const firstDay = isoDate('2026-11-24');

const club = (funds: Partial<ClubFunds> = {}): ClubFunds => ({
  ...{ fresh: noCents, firstDay: null, reserve: { held: noCents, wanted: noCents }, unpaid: [], hasBankDetails: true },
  ...funds,
});
const cleared = (amount: number, reserve = { held: 0, wanted: 0 }): Partial<ClubFunds> => ({
  ...{ fresh: cents(amount), firstDay },
  reserve: { held: cents(reserve.held), wanted: cents(reserve.wanted) },
});
const failed = (id: string, amount: number, facts: Partial<UnpaidRemittance> = {}): UnpaidRemittance => ({
  ...{ id, cents: cents(amount), failures: 1, retryOn: day, hasNewDetails: false },
  ...facts,
});
const plan = (funds: Partial<ClubFunds>, on: IsoDate = day) => planRemittancesOf(club(funds), on);
const fresh = { firstDay, heldBack: 0, retriedCents: 0, retried: [], failures: 0 };

test('cleared money is paid, with the days that it covers', () =>
  expect(plan(cleared(96))).toEqual({ remittances: [{ ...fresh, cents: 96 }], kept: [] }));

test.each([
  ['nothing has cleared', 0, [], []],
  ['more was taken back than cleared', -30, [], [{ cents: -30, reason: 'more was taken back than cleared' }]],
])('nothing is paid where %s', (_why, amount, remittances, kept) =>
  expect(plan(cleared(amount))).toEqual({ remittances, kept }),
);

test('a club without bank details keeps everything', () =>
  expect(plan({ ...cleared(50), unpaid: [failed('a', 20)], hasBankDetails: false })).toEqual({
    remittances: [],
    kept: [
      { cents: 50, reason: 'no bank details' },
      { cents: 20, reason: 'no bank details' },
    ],
  }));

test.each([
  [40, { held: 0, wanted: 100 }, 'is held back as a reserve'],
  [-40, { held: 60, wanted: 100 }, 'is covered by the reserve'],
])('%i cents wait within the reserve %o', (amount, reserve, reason) =>
  expect(plan(cleared(amount, reserve))).toEqual({ remittances: [], kept: [{ cents: amount, reason }] }),
);

test('a reserve is filled before a club is paid', () =>
  expect(plan(cleared(130, { held: 20, wanted: 100 }))).toEqual({
    remittances: [{ ...fresh, cents: 50, heldBack: 80 }],
    kept: [],
  }));

test('a reserve that was lowered is paid out, though no day is covered', () =>
  expect(plan({ reserve: { held: cents(90), wanted: cents(30) } })).toEqual({
    remittances: [{ ...fresh, cents: 60, heldBack: -60, firstDay: null }],
    kept: [],
  }));

test('money that failed pays what the reserve cannot', () =>
  expect(plan({ ...cleared(-90, { held: 50, wanted: 50 }), unpaid: [failed('a', 100)] })).toEqual({
    remittances: [{ firstDay, cents: 60, heldBack: -50, retriedCents: 100, retried: ['a'], failures: 1 }],
    kept: [],
  }));

test('a retry that is due is a payment of its own beside new money', () =>
  expect(plan({ ...cleared(20), unpaid: [failed('a', 50, { failures: 2 })] })).toEqual({
    remittances: [
      { ...fresh, cents: 20 },
      { firstDay: null, cents: 50, heldBack: 0, retriedCents: 50, retried: ['a'], failures: 2 },
    ],
    kept: [],
  }));

test('it joins new money once the account has changed, and counts as never failed there', () =>
  expect(plan({ ...cleared(20), unpaid: [failed('a', 50, { retryOn: null, hasNewDetails: true })] })).toEqual({
    remittances: [{ ...fresh, cents: 70, retriedCents: 50, retried: ['a'] }],
    kept: [],
  }));

test('one that is due later waits, and new money does not', () =>
  expect(
    plan({
      ...cleared(20),
      unpaid: [failed('a', 50, { retryOn: addDays(day, 4) }), failed('b', 7, { retryOn: addDays(day, 1) })],
    }),
  ).toEqual({
    remittances: [{ ...fresh, cents: 20 }],
    kept: [{ cents: 57, reason: 'will be retried', retryOn: addDays(day, 1) }],
  }));

test('wrong bank details hold back everything', () =>
  expect(plan({ ...cleared(20), unpaid: [failed('a', 50, { retryOn: null }), failed('b', 7)] })).toEqual({
    remittances: [],
    kept: [{ cents: 77, reason: 'waits for new bank details' }],
  }));

const amount = fc.integer({ min: 0, max: 200 }).map(cents);
const anyReserve = fc.record({ held: amount, wanted: amount });
const anyFresh = fc.integer({ min: -300, max: 300 }).map(cents);
const anyUnpaid = fc.array(
  fc.record({
    cents: fc.integer({ min: 1, max: 200 }).map(cents),
    failures: fc.integer({ min: 1, max: 4 }),
    retryOn: fc.option(fc.integer({ min: -3, max: 3 }).map((days) => addDays(day, days))),
    hasNewDetails: fc.boolean(),
  }),
  { maxLength: 5 },
);
const anyClub: fc.Arbitrary<ClubFunds> = fc
  .record({ fresh: anyFresh, reserve: anyReserve, unpaid: anyUnpaid, hasBankDetails: fc.boolean() })
  .map(({ unpaid, ...funds }) => ({
    ...funds,
    firstDay: funds.fresh === 0 ? null : firstDay,
    unpaid: unpaid.map((each, index) => ({ ...each, id: String(index) })),
  }));

/** Plans for a random club, and sums up the plan. */
const forAnyClub = (check: (funds: ClubFunds, planned: ReturnType<typeof planAndSum>) => void) =>
  fc.assert(
    fc.property(anyClub, (funds) => void check(funds, planAndSum(funds))),
    { numRuns: 1_000 },
  );
const planAndSum = (funds: ClubFunds) => {
  const { remittances, kept } = planRemittancesOf(funds, day);
  return {
    ...{ remittances, kept },
    paid: total(remittances.map((each) => each.cents)),
    heldBack: total(remittances.map((each) => each.heldBack)),
    failed: total(funds.unpaid.map((each) => each.cents)),
  };
};

test('a share of the reserve loses no cent, and leaves it between nothing and its maximum', () =>
  fc.assert(
    fc.property(anyFresh, anyReserve, (fresh, reserve) => {
      const { toClub, toReserve, waits } = shareWithReserve(fresh, reserve);
      expect(add(toClub, toReserve, waits)).toBe(fresh);
      expect(toClub !== 0 && waits !== 0).toBe(false);
      const after = add(reserve.held, toReserve);
      expect(after).toBe(toClub > 0 ? reserve.wanted : toClub < 0 ? 0 : reserve.held);
    }),
  ));

test('no more is paid than is there: what has cleared, failed before and is in the reserve', () =>
  forAnyClub(({ fresh, reserve }, { paid, failed }) =>
    expect(paid).toBeLessThanOrEqual(Math.max(0, add(fresh, reserve.held, failed))),
  ));

test('every payment is above zero, and so is the reserve after it, which is counted once', () =>
  forAnyClub(({ reserve }, { remittances, heldBack }) => {
    expect(remittances.every((each) => each.cents > 0 && each.retriedCents >= 0)).toBe(true);
    expect(remittances.filter((each) => each.heldBack !== 0).length).toBeLessThanOrEqual(1);
    const after = add(reserve.held, heldBack);
    expect(after === reserve.held || after === reserve.wanted || after === 0).toBe(true);
  }));

test('each day and each failed remittance is paid by one payment at most', () =>
  forAnyClub(({ unpaid }, { remittances }) => {
    expect(remittances.filter((each) => each.firstDay !== null).length).toBeLessThanOrEqual(1);
    const retried = remittances.flatMap((each) => each.retried);
    expect(new Set(retried).size).toBe(retried.length);
    for (const each of remittances)
      expect(each.retriedCents).toBe(
        total(unpaid.filter(({ id }) => each.retried.includes(id)).map((one) => one.cents)),
      );
  }));

test('what is paid, kept and held back adds up to what cleared and what failed', () =>
  forAnyClub(({ fresh, reserve, hasBankDetails }, { paid, kept, heldBack, failed, remittances }) => {
    const stays = total(kept.map((each) => each.cents));
    const isPaid = hasBankDetails && remittances.some((each) => each.heldBack !== 0 || each.firstDay !== null);
    const toReserve: Cents = isPaid ? heldBack : shareWithReserve(fresh, reserve).toReserve;
    expect(add(paid, stays)).toBe(subtract(add(fresh, failed), toReserve));
  }));

test('nothing is paid to a club whose details are missing, or wrong for money that failed', () =>
  forAnyClub(({ unpaid, hasBankDetails }, { remittances }) => {
    const isWrong = unpaid.some(({ retryOn, hasNewDetails }) => retryOn === null && !hasNewDetails);
    if (isWrong || !hasBankDetails) expect(remittances).toEqual([]);
  }));
