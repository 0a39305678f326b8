import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bankOfBsb, bsbInWords, describeBsb, formatBsb } from './bsb.ts';

const sixDigits = fc.stringMatching(/^\d{6}$/);

test.each([
  ['062000', '062-000 (Commonwealth Bank)'],
  ['805-050', '805-050 (Cuscal)'],
  ['732 123', '732-123 (Westpac)'],
  ['633000', '633-000 (Bendigo Bank)'],
  ['325185', '325-185 (Beyond Bank)'],
  ['999999', '999-999 (bank not known)'],
])('%s reads %s', (bsb, words) => expect(bsbInWords(bsb)).toBe(words));

test('a longer prefix wins over a shorter one, in any spelling of the digits', () =>
  fc.assert(
    fc.property(sixDigits, (digits) => {
      const written = formatBsb(digits);
      expect(written).toMatch(/^\d{3}-\d{3}$/);
      expect(formatBsb(written)).toBe(written);
      expect(bankOfBsb(written)).toBe(bankOfBsb(digits));
    }),
  ));

test('what is no BSB stays as it is written', () => expect(formatBsb('06200')).toBe('06200'));

test('an unknown bank is a warning, and nothing is said while somebody types', () => {
  expect(describeBsb('062-00')).toBeUndefined();
  expect(describeBsb('062-000')).toEqual({ bank: 'Commonwealth Bank' });
  expect(describeBsb('999-999')).toEqual({ warning: expect.stringContaining('Please check it') });
});
