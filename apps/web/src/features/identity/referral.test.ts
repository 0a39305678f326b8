import { expect, test } from 'vitest';
import { referrerOf } from './referral.ts';

test.each([
  ['efg=1&u=anna', 'efg:anna'],
  ['u=anna&efg=1', 'efg:anna'],
  ['efg=1', undefined],
  ['efg=1&u=', undefined],
  ['efg=2&u=anna', undefined],
  ['u=anna', undefined],
])('?%s refers as %s', (query, referrer) => {
  expect(referrerOf(new URLSearchParams(query))).toBe(referrer);
});
