import { HistoryDebit, RoundUpHistoryItem } from '@sparechange/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aGift, aRoundUp } from '../../testing/makers.ts';
import { linesOf } from '../history/history-lines.ts';
import { historyCsv } from './receipts-card.tsx';

const item = (changes: Parameters<typeof aRoundUp>[0] = {}) =>
  RoundUpHistoryItem.parse(
    aRoundUp({ description: 'CAFÉ "TŪĪ", NEWTOWN', amount: '1249.95', debitAmountCents: 5, ...changes }),
  );
const csvOf = (items: RoundUpHistoryItem[], debits: HistoryDebit[] = []) =>
  historyCsv(linesOf({ roundUphistory: items, debits }));

test('a line a purchase or gift, newest first, in dollars, for spreadsheets with and without UTF-8 by default', () => {
  expect(
    csvOf(
      [
        item({ given: { on: '2026-11-04', clubCents: 3 } }),
        item({ createdDate: '2026-11-04', state: 'none', debitAmountCents: 0, why: 'exact amount', given: null }),
        item({ createdDate: '2026-11-05', state: 'waiting', given: null }),
      ],
      [HistoryDebit.parse(aGift())],
    ),
  ).toBe(
    '\uFEFFDate,Description,Amount,Roundup,State,Why,Debited,Club\r\n' +
      '2026-11-06,"One-off donation",20.00,,Debited,,2026-11-06,20.00\r\n' +
      '2026-11-05,"CAFÉ ""TŪĪ"", NEWTOWN",1249.95,0.05,Waiting,,,\r\n' +
      '2026-11-04,"CAFÉ ""TŪĪ"", NEWTOWN",1249.95,0.00,,exact amount,,0.00\r\n' +
      '2026-11-03,"CAFÉ ""TŪĪ"", NEWTOWN",1249.95,0.05,Debited,,2026-11-04,0.03\r\n',
  );
});

test('a merchant’s text never starts a formula, and adds no line', () =>
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t=', '\r='), fc.string({ unit: 'binary' }), (start, rest) => {
      const lines = csvOf([item({ description: start + rest })]).split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines[1]).toMatch(/^2026-11-03,"'/);
    }),
  ));
