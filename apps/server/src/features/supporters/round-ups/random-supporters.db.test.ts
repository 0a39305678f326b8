import { addDays, isoDate, type RoundUpStep, total, type WeeklyLimit } from '@sparechange/domain';
import { type RecordedRoundUp, RoundUpModel } from '@sparechange/domain/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, type TestSupporter } from '#testing/makers.ts';
import { saveRoundUpStep, saveWeeklyLimit } from './change-settings.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';
import { recordRoundUps } from './record-round-ups.ts';

const database = ownDatabase();

const firstDay = isoDate('2026-09-28');

/** The bank's lines and the supporter's choices at one moment. */
interface Moment {
  daysLater: number;
  isPaused: boolean;
  step: RoundUpStep;
  limit: WeeklyLimit;
  shown: { id: string; daysAgo: number; amount: number; text: string }[];
}

const moment: fc.Arbitrary<Moment> = fc.record({
  daysLater: fc.nat(4),
  isPaused: fc.nat(3).map((chance) => chance === 0),
  step: fc.constantFrom<RoundUpStep>(100, 200, 500),
  limit: fc.constantFrom<WeeklyLimit>(0, 750, 1000, 1250),
  shown: fc.array(
    fc.record({
      id: fc.integer({ min: 10, max: 40 }).map((number) => `t${number}`),
      daysAgo: fc.constantFrom(0, 0, 1, 1, 7, 9),
      amount: fc.constantFrom(1, 1, 1, 100, 430, 1999),
      text: fc.constantFrom('CAFE', 'CAFE', ' cafe', 'EFTPOS 12/03 CAFE', 'BAKERY'),
    }),
    { maxLength: 14 },
  ),
});

async function live(supporter: TestSupporter, model: RoundUpModel, moments: Moment[]): Promise<void> {
  const { supporterId } = supporter;
  const bucket = database.pool.of(supporterId);
  const clock = aClock();
  let day = firstDay;
  for (const [at, { daysLater, isPaused, step, limit, shown }] of moments.entries()) {
    day = addDays(day, daysLater);
    clock.setTo(`${day}T02:00:0${at}Z`);
    if (isPaused) await pauseRoundUps(bucket, clock, supporterId, 'supporter');
    else await resumeRoundUps(bucket, clock, supporterId);
    await saveRoundUpStep(bucket, clock, supporterId, step);
    await saveWeeklyLimit(bucket, clock, supporterId, limit);
    model.pause(day, isPaused);
    const purchases = shown.map(({ id, daysAgo, amount, text }) =>
      aPurchase(supporter, { id, day: addDays(day, -daysAgo), cents: amount, description: text }),
    );
    await recordRoundUps(bucket, clock.now(), purchases);
    model.record(purchases, step, limit);
  }
}

test(
  'for any purchases and choices of a supporter, the rules determine the recorded round-ups',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 6 }), async (moments) => {
        const supporter = await aSupporter(database.pool, { roundsFrom: firstDay });
        const model = new RoundUpModel(firstDay);
        await live(supporter, model, moments);
        const rows = await database.rows<RecordedRoundUp[]>`
        select posted_on as day, purchase_cents as purchase, raw_cents as raw, counted_cents as counted, occurrence
        from round_ups where supporter_id = ${supporter.supporterId} order by seq`;
        const expected = model.recorded.map(({ id: _id, likeness: _likeness, ...roundUp }) => roundUp);
        expect([...rows]).toEqual(expected);
        const [pledged] = await database.rows<{ cents: number }[]>`
        select coalesce(sum(cents), 0)::bigint as cents from ledger_balances
        where supporter_id = ${supporter.supporterId} and account = 'pledged'`;
        expect(pledged?.cents).toBe(total(expected.map((roundUp) => roundUp.counted)));
      }),
      { numRuns: 200 },
    ),
  120_000,
);
