import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, inkOn, shade } from './contrast.ts';

const anyColour = fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is the same both ways round, from 1 to 21', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (one, other) => {
      expect(contrast(one, other)).toBe(contrast(other, one));
      expect(contrast(one, other)).toBeGreaterThanOrEqual(1);
      expect(contrast(one, other)).toBeLessThanOrEqual(21.001);
    }),
  );
});

test('on every colour the ink can be read and a shade reaches what large text and borders need', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (colour, ground) => {
      expect(contrast(inkOn(ground), ground)).toBeGreaterThan(4.3);
      expect(contrast(shade(colour, ground, 3), ground)).toBeGreaterThanOrEqual(3);
    }),
  );
});

test('black on white is 21, a colour on itself is 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#47b3b5', '#47b3b5')).toBe(1);
});

test('the teal takes dark text, because white on it cannot be read', () => {
  expect(contrast('#ffffff', '#47b3b5')).toBeLessThan(3);
  expect(inkOn('#47b3b5')).toBe('#101415');
  expect(inkOn('#000000')).toBe('#ffffff');
});

test.each([3, 4.5])('a shade of the teal reaches %d on white and stays the teal where it already does', (ratio) => {
  expect(contrast(shade('#47b3b5', '#ffffff', ratio), '#ffffff')).toBeGreaterThanOrEqual(ratio);
  expect(shade('#47b3b5', '#000000', ratio)).toBe('#47b3b5');
});
