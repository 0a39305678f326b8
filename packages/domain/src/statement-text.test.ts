import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statementText } from './statement-text.ts';

test('the name in capitals and the first nine characters of the reference', () => {
  expect(statementText('Sparechange', 'RU1A2B3C4D5E6F7A8B')).toBe('SPARECHANGE RU1A2B3C4');
});

test('a reference never makes it longer than a bank shows, and two that differ within nine characters stay apart', () => {
  const reference = fc.stringMatching(/^RU[0-9A-F]{16}$/);
  fc.assert(
    fc.property(reference, reference, (one, other) => {
      expect(statementText('Sparechange', one).length).toBe('SPARECHANGE '.length + 9);
      const isSame = statementText('Sparechange', one) === statementText('Sparechange', other);
      expect(isSame).toBe(one.startsWith(other.slice(0, 9)));
    }),
  );
});
