import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexOf, oklchOf } from './oklch.ts';

test.each([
  ['#ff0000', 0.628, 0.2577, 29.23],
  ['#00ff00', 0.8664, 0.2948, 142.5],
  ['#0000ff', 0.452, 0.3132, 264.05],
])('%s is the colour that CSS Color 4 says', (colour, lightness, chroma, hue) => {
  const found = oklchOf(colour);
  expect(found.lightness).toBeCloseTo(lightness, 3);
  expect(found.chroma).toBeCloseTo(chroma, 3);
  expect(found.hue).toBeCloseTo(hue, 1);
});

test('what is written is what was read', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const colour = `#${value.toString(16).padStart(6, '0')}`;
      expect(hexOf(oklchOf(colour))).toBe(colour);
    }),
  ));

test('a chroma that no screen shows is cut, and the hue stays', () => {
  const shown = oklchOf(hexOf({ lightness: 0.8, chroma: 0.4, hue: 90 }));
  expect(shown.hue).toBeCloseTo(90, 0);
  expect(shown.lightness).toBeCloseTo(0.8, 2);
});
