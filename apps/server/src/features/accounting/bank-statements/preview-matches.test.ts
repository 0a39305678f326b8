import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { pairInOrder } from './preview-matches.ts';

const pair = (settlement: string, lineId: string, isNew = true) => ({
  settlement,
  lineId,
  bookedOn: isoDate('2026-11-20'),
  isNew,
});

test('a settlement explains one line, and a line is explained by one settlement', () => {
  expect(pairInOrder([pair('2026-11-18', 'a'), pair('2026-11-18', 'b'), pair('2026-11-19', 'a')])).toEqual(
    new Set(['a']),
  );
  expect(pairInOrder([pair('2026-11-19', 'a'), pair('2026-11-19', 'b'), pair('2026-11-18', 'a')])).toEqual(
    new Set(['a', 'b']),
  );
});

test('an open line that is known takes its settlement before a new one', () => {
  expect(pairInOrder([pair('2026-11-18', 'b'), pair('2026-11-18', 'a', false)])).toEqual(new Set());
});
