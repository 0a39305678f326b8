import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { isFrugal, usePreload } from './when-idle.ts';

const connect = (connection: object | undefined) =>
  Object.defineProperty(navigator, 'connection', { configurable: true, value: connection });
afterEach(() => {
  vi.useRealTimers();
  connect(undefined);
});

test.each([
  [undefined, false],
  [{ effectiveType: '4g' }, false],
  [{ effectiveType: '4g', saveData: true }, true],
  [{ effectiveType: '3g' }, true],
  [{ effectiveType: '2g' }, true],
  [{ effectiveType: 'slow-2g' }, true],
])('on a connection of %j every byte costs: %s', (connection, costs) => {
  connect(connection);
  expect(isFrugal()).toBe(costs);
});

test.each([
  ['4g', 1],
  ['3g', 0],
])('on %s a part is loaded %i times ahead of the press that opens it', (effectiveType, times) => {
  vi.useFakeTimers();
  connect({ effectiveType });
  const load = vi.fn(async () => undefined);
  renderHook(() => usePreload(load));
  vi.advanceTimersByTime(6000);
  expect(load).toHaveBeenCalledTimes(times);
});
