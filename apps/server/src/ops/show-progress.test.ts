import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressLine, progressOn } from './show-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Stands for a terminal, or for a file that a command's words go to. */
function aTerminal(isTTY: boolean) {
  const written: string[] = [];
  const terminal = { isTTY, columns: 40, write: (text: string) => written.push(text) };
  return { written, progress: progressOn(terminal, () => Date.now()) };
}

test.each([
  [{ words: 'clubs import' }, 7_400, 'clubs import 0:07'],
  [{ words: 'remit', share: 0.25 }, 723_000, '[#####...............] remit 12:03'],
  [{ words: 'remit', share: 2 }, 3_723_000, '[####################] remit 1:02:03'],
])('%j reads %s', (progress, ms, line) => expect(progressLine(progress, ms)).toBe(line));

test('a line never fills a terminal’s last column, and shows the time where there is room', () =>
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200, unit: 'grapheme-ascii' }),
      fc.integer({ min: 1, max: 200 }),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      (words, columns, share) => {
        const line = progressLine({ words, share }, 61_000, columns);
        expect(line.length).toBeLessThan(columns);
        if (columns > 40) expect(line).toMatch(/ 1:01$/);
      },
    ),
  ));

test('without a terminal nothing is written, however long it takes', () => {
  const { written, progress } = aTerminal(false);
  progress.begin('clubs import');
  progress.say({ words: 'day 1', share: 0.5 });
  vi.advanceTimersByTime(60_000);
  progress.say({ words: 'day 2' });
  progress.end();
  expect(written).toEqual([]);
});

test('work of two seconds shows nothing; longer work shows a line that moves and is cleared at the end', () => {
  const { written, progress } = aTerminal(true);
  progress.begin('status');
  vi.advanceTimersByTime(1_900);
  progress.end();
  expect(written).toEqual([]);
  progress.begin('clubs import');
  vi.advanceTimersByTime(3_000);
  progress.say({ words: 'line 12' });
  progress.end();
  vi.advanceTimersByTime(5_000);
  const clear = '\r\x1b[K';
  expect(written).toEqual([`${clear}clubs import 0:02`, `${clear}clubs import 0:03`, `${clear}line 12 0:03`, clear]);
});

test('a line of output finds the place free, and the progress follows below it', () => {
  const { written, progress } = aTerminal(true);
  progress.begin('advance');
  vi.advanceTimersByTime(2_000);
  progress.clear();
  progress.clear();
  vi.advanceTimersByTime(1_000);
  progress.end();
  const clear = '\r\x1b[K';
  expect(written).toEqual([`${clear}advance 0:02`, clear, `${clear}advance 0:03`, clear]);
});
