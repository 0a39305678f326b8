import { expect, test } from 'vitest';
import { instantInWords, momentInWords, shownAddress } from './words.ts';

test('times are Sydney times, and their am or pm stays on their line', () => {
  expect(instantInWords('2026-11-23T07:05:00Z')).toBe('23 Nov 2026, 6:05\u00a0pm');
  expect(momentInWords(new Date('2026-11-22T23:15:00Z'))).toBe('Mon 23 Nov, 10:15\u00a0am');
});

test('an address is shown as people say it', () => {
  expect(shownAddress('https://rovers.example.org/')).toBe('rovers.example.org');
  expect(shownAddress('http://localhost:4000/rovers')).toBe('localhost:4000/rovers');
});
