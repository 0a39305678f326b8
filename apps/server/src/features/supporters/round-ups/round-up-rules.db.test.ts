import { addDays, type Cents, cents, isoDate, roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { countedWithinLimit, roundUp, spareChange } from '@sparechange/domain/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { estimateSpareChange } from './estimate-spare-change.ts';

const database = ownDatabase();
const settings = roundUpSteps.flatMap((step) => weeklyLimits.map((limit) => ({ step, limit })));
const purchase = fc.record({
  day: fc.nat(40).map((days) => addDays(isoDate('2026-11-02'), days)),
  amount: fc.integer({ min: 1, max: 50_000 }).map(cents),
});

test.each([
  [350, 50, 50, 150],
  [400, 0, 0, 100],
  [1, 99, 199, 499],
  [500, 0, 100, 0],
])('%i cents round up by %i, %i and %i to $1, $2 and $5', async (amount, ...expected) => {
  const rows = await database.rows<{ cents: Cents }[]>`
    select round_up(${amount}, step) as cents from unnest(array[100, 200, 500]) as step`;
  expect(rows.map((row) => row.cents)).toEqual(expected);
});

test('the functions of the database round and cut as the model does', async () => {
  const setting = fc.constantFrom(...settings);
  const cases = fc.sample(fc.tuple(purchase, fc.nat(2_000).map(cents), setting), 500);
  const rows = await database.rows<{ raw: Cents; counted: Cents }[]>`
    select raw, counted_within_limit(raw, used, week_limit) as counted
    from unnest(${cases.map(([{ amount }]) => amount)}::bigint[], ${cases.map(([, used]) => used)}::bigint[],
        ${cases.map(([, , { step }]) => step)}::bigint[], ${cases.map(([, , { limit }]) => limit)}::bigint[])
      with ordinality as each (cents, used, step, week_limit, place)
    cross join lateral (select round_up(cents, step) as raw) rounded order by place`;
  expect([...rows]).toEqual(
    cases.map(([{ amount }, used, { step, limit }]) => {
      const raw = roundUp(amount, step);
      return { raw, counted: countedWithinLimit(raw, used, limit) };
    }),
  );
});

test('an estimate equals the purchases counted one after the other', () =>
  fc.assert(
    fc.asyncProperty(fc.array(purchase, { maxLength: 40 }), async (purchases) => {
      expect(await estimateSpareChange(database.pool, purchases, settings)).toEqual(
        settings.map(({ step, limit }) => spareChange(purchases, step, limit)),
      );
    }),
    { numRuns: 60 },
  ));
