import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { dayColumn } from './columns.tsx';

test('a day in a list has its year, as lists reach back over years', () => {
  const { show, text } = dayColumn('Day', (day: string | null) => (day === null ? null : isoDate(day)));
  expect([show?.('2024-11-04'), text('2024-11-04')]).toEqual(['Mon 4 Nov 2024', '2024-11-04']);
  expect([show?.(null), text(null)]).toEqual([null, '']);
});
