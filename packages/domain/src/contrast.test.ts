import { expect, test } from 'vitest';
import { contrast, inkOn, shade } from './contrast.ts';

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
