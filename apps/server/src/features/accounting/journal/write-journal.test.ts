import { cents } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clubPart } from './journal-accounts.ts';
import type { JournalEntry } from './journal-repository.ts';
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

test('a club is known by its slug, or by its id where that is no part of an account', () => {
  expect(clubPart('id', 'dingo-creek')).toBe('Dingo-creek');
  expect(clubPart('id', '1st-scouts')).toBe('1st-scouts');
  expect(clubPart('id', 'x_y')).toBe('Club-id');
  expect(clubPart('id')).toBe('Club-id');
});
