import { expect, test } from 'vitest';
import { firstDayOfChangedAccount } from './changed-savings-account.ts';
import { isoDate } from './days.ts';

test.each([
  ['2026-11-25', '2026-11-27'], // Wednesday to Friday
  ['2026-11-26', '2026-11-30'], // Thursday to Monday
  ['2026-11-28', '2026-12-01'], // Saturday to Tuesday
  ['2026-12-24', '2026-12-30'], // over Christmas
])('an account changed on %s receives deposits from %s on', (changedOn, from) => {
  expect(firstDayOfChangedAccount(isoDate(changedOn))).toBe(from);
});
