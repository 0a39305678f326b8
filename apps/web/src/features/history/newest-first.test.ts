import { expect, test } from 'vitest';
import { monthsNewestFirst } from './newest-first.ts';

test('months are ordered by time and not by name', () => {
  const months = ['Apr-26', 'Dec-25', 'Nov-26', 'Jan-26'].map((monthYear) => ({ monthYear }));
  expect(monthsNewestFirst(months).map((month) => month.monthYear)).toEqual(['Nov-26', 'Apr-26', 'Jan-26', 'Dec-25']);
});
