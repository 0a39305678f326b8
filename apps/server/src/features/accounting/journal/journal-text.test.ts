import { cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clubPart } from './journal-accounts.ts';
import type { JournalEntry } from './journal-repository.ts';
import { JournalText, remarkText } from './journal-text.ts';
import { wholeTransfers } from './write-journal.ts';

const entry = (transfer: string, account: string): JournalEntry => ({
  transfer,
  kind: 'cleared',
  source: 's',
  account,
  club: null,
  cents: cents(1),
  reason: null,
  bankDay: null,
  bankWords: null,
});

async function* pagesOf(entries: JournalEntry[], cuts: number[]) {
  let from = 0;
  for (const to of [...cuts, entries.length].toSorted((one, other) => one - other)) {
    if (to > from) yield entries.slice(from, to);
    from = Math.max(from, to);
  }
}

test('transfers are the same, no matter where pages end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }),
      fc.array(fc.nat(40)),
      async (sizes, cuts) => {
        const transfers = sizes.map((size, at) =>
          Array.from({ length: size }, (_, account) => entry(String(at), String(account))),
        );
        const found: JournalEntry[][] = [];
        for await (const some of wholeTransfers(pagesOf(transfers.flat(), cuts))) found.push(...some);
        expect(found).toEqual(transfers);
      },
    ),
  ));

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

test('a club is known by its slug, or by its id where that is no part of an account', () => {
  expect(clubPart('id', 'dingo-creek')).toBe('Dingo-creek');
  expect(clubPart('id', '1st-scouts')).toBe('1st-scouts');
  expect(clubPart('id', 'x_y')).toBe('Club-id');
  expect(clubPart('id')).toBe('Club-id');
});
