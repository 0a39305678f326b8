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

test('many kinds do not fill the memory', () => {
  const written: number[] = [];
  const limit = limitRepeatedLines(() => 0);
  for (let kind = 0; kind < 1_000; kind += 1) limit(String(kind), () => void written.push(kind));
  expect(written).toHaveLength(1_000);
});
