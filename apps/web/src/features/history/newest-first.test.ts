import { expect, test } from 'vitest';
import { itemsNewestFirst, monthsNewestFirst } from './newest-first.ts';

test('months are ordered by time and not by name', () => {
  const months = ['Apr-26', 'Dec-25', 'Nov-26', 'Jan-26'].map((monthYear) => ({ monthYear }));
  expect(monthsNewestFirst(months).map((month) => month.monthYear)).toEqual(['Nov-26', 'Apr-26', 'Jan-26', 'Dec-25']);
});

test('purchases of one day keep the order in which they came', () => {
  const items = [
    { createdDate: '2026-11-03', id: 'a' },
    { createdDate: '2026-11-20', id: 'b' },
    { createdDate: '2026-11-03', id: 'c' },
  ];
  expect(itemsNewestFirst(items).map((item) => item.id)).toEqual(['b', 'a', 'c']);
});
