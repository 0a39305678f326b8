import { expect, test } from 'vitest';
import { msUntilRefresh } from './refresh-timer.ts';

const hour = 3_600_000;

test('a token of an hour is refreshed after 55 minutes', () => {
  expect(msUntilRefresh(hour, 0)).toBe(55 * 60_000);
});

test('a token in its last 5 minutes is refreshed immediately', () => {
  expect(msUntilRefresh(hour, hour - 60_000)).toBe(0);
  expect(msUntilRefresh(hour, hour + 60_000)).toBe(0);
});
