import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { kept, within } from './readings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A reading that is kept for a second and answered by hand. */
function aReading() {
  const begun: PromiseWithResolvers<number>[] = [];
  const read = kept(1_000, () => {
    const next = Promise.withResolvers<number>();
    begun.push(next);
    return next.promise;
  });
  /** Reads, and waits for so long. */
  const shown = async (waitMs: number) => {
    const reading = read().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(waitMs);
    return reading;
  };
  const last = () => begun.at(-1) as PromiseWithResolvers<number>;
  return { shown, begun, last };
}

test('a slow reading is shown as it was, and never runs twice concurrently', async () => {
  const { shown, begun, last } = aReading();
  expect(await shown(4_000)).toBe('no answer within 4000 ms');
  last().resolve(1);
  expect(await shown(0)).toBe(1);
  await vi.advanceTimersByTimeAsync(15_000);
  for (let scrape = 0; scrape < 10; scrape += 1) expect(await shown(2_000)).toBe(1);
  expect(begun).toHaveLength(2);
  last().resolve(2);
  expect(await shown(0)).toBe(2);
});

test('a value that cannot be read again is dropped after five minutes, and a slow failure rests before it is repeated', async () => {
  const read = vi.fn(async () => 1);
  const shown = kept(0, read);
  const scrape = async () => {
    const reading = shown().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(15_000);
    return reading;
  };
  await shown();
  read.mockImplementation(() => within(5_000, Promise.withResolvers<number>().promise));
  const seen: (number | string)[] = [];
  for (let at = 0; at < 24; at += 1) seen.push(await scrape());
  expect(seen.map((each) => (each === 1 ? each : 'unread'))).toEqual([
    ...Array(20).fill(1),
    ...Array(4).fill('unread'),
  ]);
  expect(read).toHaveBeenCalledTimes(1 + 8);
  read.mockImplementation(async () => 2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await scrape()).toBe(2);
});

test('what is kept is not read', async () => {
  const { shown, begun, last } = aReading();
  const first = shown(0);
  last().resolve(1);
  await first;
  await vi.advanceTimersByTimeAsync(900);
  expect(await shown(0)).toBe(1);
  expect(begun).toHaveLength(1);
});
