import { expect, test } from 'vitest';
import { statementText } from './statement-text.ts';

test('the name in capitals and the first nine characters of the reference', () => {
  expect(statementText('Sparechange', 'RU1A2B3C4D5E6F7A8B')).toBe('SPARECHANGE RU1A2B3C4');
});
