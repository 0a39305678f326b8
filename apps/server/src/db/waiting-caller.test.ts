import { afterEach, expect, test, vi } from 'vitest';
import { commitWithinMs, WaitingCaller } from './waiting-caller.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a caller is not refused before a pending commit is void, even where a timer rings early', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const caller = new WaitingCaller(100);
  let voidInMs = 0;
  void caller.commit((withinMs) => {
    voidInMs = withinMs;
    return new Promise<void>(() => {});
  });
  const answer = vi.fn();
  caller.refuse(answer);

  now = voidInMs - 1; // the timer's own clock is ahead of it
  await vi.advanceTimersByTimeAsync(voidInMs + 50);
  expect(answer).not.toHaveBeenCalled();

  now = voidInMs + 50;
  await vi.advanceTimersByTimeAsync(voidInMs + 50);
  expect(answer).toHaveBeenCalledOnce();
});

test('a commit is void after two seconds, or after the time that the process gives it', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const timesOf = (caller: WaitingCaller) => caller.commit(async (withinMs) => withinMs);
  expect(await timesOf(new WaitingCaller(60_000))).toBe(commitWithinMs);
  expect(await timesOf(new WaitingCaller(60_000, 30_000))).toBe(30_000);
  expect(await timesOf(new WaitingCaller(1_000, 30_000))).toBe(1_000);
});
