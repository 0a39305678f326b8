import { RoundUpHistoryItem } from '@sparechange/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aRoundUp } from '../../testing/makers.ts';
import { historyCsv } from './receipts-card.tsx';

const item = (changes: Parameters<typeof aRoundUp>[0] = {}) =>
  RoundUpHistoryItem.parse(
    aRoundUp({ description: 'CAFÉ "TŪĪ", NEWTOWN', amount: '1249.95', debitAmountCents: 5, ...changes }),
  );

test('a line a purchase, newest first, in dollars, for spreadsheets with and without UTF-8 by default', () => {
  expect(
    historyCsv([item(), item({ createdDate: '2026-11-04', state: 'none', debitAmountCents: 0, why: 'exact amount' })]),
  ).toBe(
    '\uFEFFDate,Description,Amount,Roundup,State,Why\r\n' +
      '2026-11-04,"CAFÉ ""TŪĪ"", NEWTOWN",1249.95,0.00,,exact amount\r\n' +
      '2026-11-03,"CAFÉ ""TŪĪ"", NEWTOWN",1249.95,0.05,Debited,\r\n',
  );
});

test('what a merchant writes never starts a formula, and adds no line', () =>
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t=', '\r='), fc.string({ unit: 'binary' }), (start, rest) => {
      const lines = historyCsv([item({ description: start + rest })]).split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines[1]).toMatch(/^2026-11-03,"'/);
    }),
  ));
