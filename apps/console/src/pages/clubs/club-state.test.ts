import { expect, test } from 'vitest';
import { endInWords } from './club-state.tsx';

test.each([
  ['2024-11-04', true, 'Ended Mon 4 Nov 2024'],
  ['2027-01-04', false, 'Ends Mon 4 Jan 2027'],
  [null, false, 'Accepting gifts'],
])('a club whose gifts end on %s (over: %s) is listed with the year', (endsOn, hasEnded, words) => {
  expect(endInWords({ endsOn, hasEnded })).toBe(words);
});
