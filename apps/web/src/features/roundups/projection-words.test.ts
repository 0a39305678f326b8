import { cents, roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { limitProjection, stepProjection } from './projection.tsx';

const weeks = roundUpSteps.flatMap((stepCents) =>
  weeklyLimits.map((limitCents) => ({ stepCents, limitCents, cents: cents(stepCents * 4 - (limitCents && 10)) })),
);
const lookingBack = { days: 90, weeks };

test('each step is projected under the present limit', () => {
  expect(stepProjection(lookingBack, 0)).toBe(
    'Based on your last 90 days: about $4.00 a week at $1, $8.00 at $2, $20.00 at $5.',
  );
  expect(stepProjection({ ...lookingBack, days: 12 }, 1000)).toBe(
    'Based on your last 12 days: about $3.90 a week at $1, $7.90 at $2, $19.90 at $5.',
  );
});

test('equal amounts are said once', () => {
  const same = { days: 90, weeks: weeks.map((week) => ({ ...week, cents: cents(400) })) };
  expect(limitProjection(same, 200, 0, 1000)).toBe('Your usual $4.00 a week is under every limit.');
  expect(limitProjection(same, 200, 1000, 1000)).toBe('Your usual $4.00 a week is under every limit.');
  expect(stepProjection(same, 0)).toBe('Based on your last 90 days: about $4.00 a week, whichever you choose.');
});

test('a limit is projected before it is switched on, and each limit while one is on', () => {
  expect(limitProjection(lookingBack, 200, 0, 1000)).toBe(
    'Based on your last 90 days: about $7.90 a week with a limit of $10.00, $8.00 without.',
  );
  expect(limitProjection(lookingBack, 200, 750, 1000)).toBe(
    'Based on your last 90 days: about $7.90 a week with a limit of $7.50, $7.90 with $10.00, $7.90 with $12.50, $8.00 without.',
  );
});
