import { cents, roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { limitProjection, stepProjection } from './projection.tsx';

const weeks = roundUpSteps.flatMap((stepCents) =>
  weeklyLimits.map((limitCents) => ({ stepCents, limitCents, cents: cents(stepCents * 4 - (limitCents && 10)) })),
);
const lookingBack = { days: 84, wholeWeeks: 12, weeks };

test('each step is projected under the present limit', () => {
  expect(stepProjection(lookingBack, 0)).toBe(
    'Based on your last 12 weeks: about $4.00 a week at $1, $8.00 at $2, $20.00 at $5.',
  );
  expect(stepProjection({ ...lookingBack, days: 12, wholeWeeks: null }, 1000)).toBe(
    'Based on your last 12 days: about $3.90 a week at $1, $7.90 at $2, $19.90 at $5 (with your $10 limit).',
  );
});

/** Weeks that only the limits below this one make less. */
const someBelow = (limit: number) => ({
  ...lookingBack,
  weeks: weeks.map((week) => ({ ...week, cents: cents(week.limitCents > 0 && week.limitCents < limit ? 390 : 400) })),
});

test('equal amounts are said once', () => {
  const same = { ...lookingBack, weeks: weeks.map((week) => ({ ...week, cents: cents(400) })) };
  expect(limitProjection(same, 200, 0, 1000)).toBe("A $10 limit wouldn't change much.");
  expect(limitProjection(same, 200, 1000, 1000)).toBe("A $10 limit wouldn't change much.");
  expect(limitProjection(someBelow(1000), 200, 0, 1000)).toBe("A $10 limit wouldn't change much.");
  expect(limitProjection(someBelow(1000), 200, 1000, 1000)).toBe(
    'Based on your last 12 weeks: about $3.90 a week with a limit of $7.50, $4.00 without.',
  );
  expect(limitProjection(someBelow(1250), 200, 1000, 1000)).toBe(
    'Based on your last 12 weeks: about $3.90 a week with a limit of $7.50, $3.90 with $10.00, $4.00 without.',
  );
  expect(stepProjection(same, 0)).toBe('Based on your last 12 weeks: about $4.00 a week, whichever you choose.');
});

test('a limit is projected before it is switched on, and each limit while one is on', () => {
  expect(limitProjection(lookingBack, 200, 0, 1000)).toBe('About $7.90 a week with a limit of $10.00, $8.00 without.');
  expect(limitProjection(lookingBack, 200, 750, 1000)).toBe(
    'Based on your last 12 weeks: about $7.90 a week with a limit of $7.50, $7.90 with $10.00, $7.90 with $12.50, $8.00 without.',
  );
});

test.each([
  [750, '$7.50'],
  [1000, '$10'],
  [1250, '$12.50'],
] as const)('a limit of %i is named where it makes a week less, and only there', (limit, name) => {
  const limited = weeks.map((week) => ({
    ...week,
    cents: cents(week.limitCents === 0 ? week.stepCents * 4 : Math.min(week.stepCents * 4, week.limitCents)),
  }));
  expect(stepProjection({ ...lookingBack, weeks: limited }, limit)).toBe(
    `Based on your last 12 weeks: about $4.00 a week at $1, $${limit < 800 ? '7.50' : '8.00'} at $2, $${(limit / 100).toFixed(2)} at $5 (with your ${name} limit).`,
  );
  const low = weeks.map((week) => ({ ...week, cents: cents(week.stepCents) }));
  expect(stepProjection({ days: 7, wholeWeeks: 1, weeks: low }, limit)).toBe(
    'Based on last week: about $1.00 a week at $1, $2.00 at $2, $5.00 at $5.',
  );
});
