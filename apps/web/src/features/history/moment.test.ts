import { cents } from '@sparechange/domain';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { markReached, useMoment } from './moment.ts';

beforeEach(() => localStorage.clear());
/** Visits with a sum that has arrived; returns what is said. */
const visitWith = (given: number) => renderHook(() => useMoment(cents(given))).result.current;

test.each([
  [0, 0],
  [1, 1],
  [999, 1],
  [1_000, 1_000],
  [4_999, 1_000],
  [2_000_000, 100_000],
])('of %i cents the mark is %i', (given, mark) => expect(markReached(cents(given))).toBe(mark));

test('a mark is said once, with the sum, and one that was passed over is not', () => {
  expect(visitWith(0)).toBeUndefined();
  expect(visitWith(342)).toBe('Your first debit has arrived. Thank\u00a0you!');
  expect(visitWith(342)).toBeUndefined();
  expect(visitWith(5_120)).toBe('You have given $50.00. Thank\u00a0you!');
  expect(visitWith(5_900)).toBeUndefined();
});

test('a browser that is new to a supporter says nothing of what was reached before', () => {
  expect(visitWith(5_120)).toBeUndefined();
  expect(visitWith(10_000)).toBe('You have given $100.00. Thank\u00a0you!');
});

test('a debit that was taken back takes its mark with it, which is said again once it is reached again', () => {
  visitWith(0);
  visitWith(1_000);
  expect(visitWith(980)).toBeUndefined();
  expect(visitWith(1_005)).toBe('You have given $10.00. Thank\u00a0you!');
});

test('a sum that comes later is waited for', () => {
  localStorage.setItem('seenMark', '0');
  const { result, rerender } = renderHook(({ given }) => useMoment(given), {
    initialProps: { given: undefined as ReturnType<typeof cents> | undefined },
  });
  expect(result.current).toBeUndefined();
  act(() => rerender({ given: cents(342) }));
  expect(result.current).toContain('first debit');
});
