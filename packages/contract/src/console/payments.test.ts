import { expect, test } from 'vitest';
import { Dollars } from './payments.ts';

test.each([
  ['43.50', 4350],
  ['$1,043.50', 1_043_50],
  ['1,234,567.8', 1_234_567_80],
  [' 1 000 ', 1_000_00],
  ['1,0', 100],
  ['0,5', 50],
  ['12,34', 12_34],
  ['1,0000', undefined],
  ['0', undefined],
])('dollars typed as %j are read as %j cents', (typed, cents) => expect(Dollars.safeParse(typed).data).toBe(cents));
