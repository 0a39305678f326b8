import { expect, test } from 'vitest';
import { limitRepeatedLines } from './repeated-lines.ts';

test('a line that repeats is written once a minute, with the number of those left out', () => {
  let nowMs = 0;
  const written: string[] = [];
  const limit = limitRepeatedLines(() => nowMs);
  const log = (kind: string) => limit(kind, (leftOut) => void written.push(`${kind} ${leftOut}`));
  for (; nowMs < 59_000; nowMs += 1_000) log('database');
  log('mail');
  nowMs = 60_000;
  log('database');
  expect(written).toEqual(['database 0', 'mail 0', 'database 58']);
});

test('no more than a hundred kinds are remembered', () => {
  const written: number[] = [];
  const limit = limitRepeatedLines(() => 0);
  const log = (kind: number) => limit(String(kind), () => void written.push(kind));
  for (let kind = 0; kind < 100; kind += 1) log(kind);
  log(0);
  expect(written).toHaveLength(100);
  log(100);
  log(0);
  expect(written.slice(100)).toEqual([100, 0]);
});
