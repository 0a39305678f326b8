import { expect, test } from 'vitest';
import { withUnbrokenTime } from './unbroken-time.ts';

test.each([
  ['Sat 28 Nov, 12:08 am', 'Sat 28 Nov, 12:08\u00a0am'],
  ['12:08\u202fpm', '12:08\u00a0pm'],
  ['until 6 am tomorrow', 'until 6\u00a0am tomorrow'],
  ['5 amounts', '5 amounts'],
])('%s is never broken within its time', (words, kept) => {
  expect(withUnbrokenTime(words)).toBe(kept);
});
