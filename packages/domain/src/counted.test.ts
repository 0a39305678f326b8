import { expect, test } from 'vitest';
import { counted, countedInWords } from './counted.ts';

test.each([
  [0, '0 clubs'],
  [1, '1 club'],
  [2, '2 clubs'],
  [1_200, '1,200 clubs'],
])('%s has its noun in the right number', (count, words) => {
  expect(counted(count, 'club')).toBe(words);
});

test('a plural of its own is given', () => {
  expect([counted(1, 'entry', 'entries'), counted(4, 'entry', 'entries')]).toEqual(['1 entry', '4 entries']);
});

test('a count that was cut off says so', () => {
  expect([0, 9_999, 10_000, 30_000].map(countedInWords)).toEqual(['0', '9,999', '10,000 or more', '10,000 or more']);
});
