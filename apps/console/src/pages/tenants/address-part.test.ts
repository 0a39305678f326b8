import { expect, test } from 'vitest';
import { addressPartOf } from './address-part.ts';

test.each([
  ['Bush League', 60, 'bush-league'],
  ['  The "Bay" League!  ', 60, 'the-bay-league'],
  ['Café Élan', 60, 'cafe-elan'],
  ['Bay Rovers of the Harbour', 11, 'bay-rovers'],
])('%s makes a readable part of an address', (name, maxLength, part) => {
  expect(addressPartOf(name, maxLength)).toBe(part);
});
