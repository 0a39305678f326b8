import { expect, test } from 'vitest';
import { referrerOf } from './referral.ts';

test.each([
  ['efg=1&u=anna', 'efg:anna'],
  ['u=anna&efg=1', 'efg:anna'],
  ['efg=1', undefined],
  ['efg=1&u=', undefined],
  ['efg=2&u=anna', undefined],
  ['u=anna', undefined],
  ['efg=1&u=a%09b%0A', 'efg:ab'],
  ['efg=1&u=%09', undefined],
  [`efg=1&u=${'x'.repeat(300)}`, `efg:${'x'.repeat(196)}`],
  [`efg=1&u=${'x'.repeat(195)}%F0%9F%90%A8`, `efg:${'x'.repeat(195)}`],
])('?%s refers as %s', (query, referrer) => {
  expect(referrerOf(new URLSearchParams(query))).toBe(referrer);
});
