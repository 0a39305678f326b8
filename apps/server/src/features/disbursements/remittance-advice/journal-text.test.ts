import { cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JournalText, remarkText } from './journal-text.ts';

test('a transaction opens each account once, and has remarks and amounts of two decimals', () => {
  const text = new JournalText();
  const legs = [
    { account: 'Assets:A', cents: cents(123_405) },
    { account: 'Liabilities:B', cents: cents(-123_405) },
  ];
  const remarks: [string, string | null][] = [
    ['ref', 'R7; [2026-01-01] date:2026-02-02'],
    ['reason', null],
  ];
  const written = { day: isoDate('2026-07-01'), title: 'Correction', remarks, legs };
  expect(text.transaction(written)).toBe(
    [
      '2026-07-01 open Assets:A',
      '2026-07-01 open Liabilities:B',
      '2026-07-01 * "Correction"',
      '  ; ref: R7 2026-01-01 date 2026-02-02',
      '  Assets:A  1234.05 AUD',
      '  Liabilities:B  -1234.05 AUD',
      '\n',
    ].join('\n'),
  );
  expect(text.transaction(written)).not.toContain('open');
});

test('no words of a person are more than a remark', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (words) => {
      expect(remarkText(words)).toMatch(/^[ -~]{0,200}$/);
      expect(remarkText(words)).not.toMatch(/[;:"[\]{}=*|!\\]/);
    }),
  ));

test.each([
  ['Café “Zoë” – a club’s fee', "Cafe Zoe - a club's fee"],
  ['two\nlines', 'two lines'],
  ['日本', ''],
])('%j is remarked as %j', (words, remark) => expect(remarkText(words)).toBe(remark));
