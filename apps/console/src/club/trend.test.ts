import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { sinceFirst } from './trend.tsx';

const months = (...figures: number[]) =>
  figures.map((figure, at) => ({ from: isoDate(`2026-${String(at + 1).padStart(2, '0')}-01`), cents: cents(figure) }));

test.each([
  ['a club of two months', [0, 0, 0, 0, 0, 0, 0, 5, 9], [0, 0, 0, 0, 5, 9]],
  ['a club of a year', [0, 1, 2, 3, 4, 5, 0, 7, 8], [1, 2, 3, 4, 5, 0, 7, 8]],
  ['a club without any', [0, 0, 0], [0, 0, 0]],
])('the bars of %s begin with its first, and are six at least', (_club, figures, shown) =>
  expect(sinceFirst(months(...figures) as never).map((period) => period.cents)).toEqual(shown),
);
