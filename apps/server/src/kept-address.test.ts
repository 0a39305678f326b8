import { expect, test } from 'vitest';
import { keptAddress } from './kept-address.ts';

test('an address is kept once, in whichever case and normal form it is typed', () => {
  const typed = ['José@Example.com', 'jose\u0301@example.com', ' JOSE\u0301@EXAMPLE.COM '];
  expect(new Set(typed.map(keptAddress))).toEqual(new Set(['josé@example.com']));
  expect(keptAddress('\u1E9B\u0323@example.com')).toBe('\u1E9B\u0323@example.com'.normalize('NFC'));
});
