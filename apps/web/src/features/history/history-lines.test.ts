import { HistoryDebit, RoundUpHistoryItem } from '@sparechange/contract';
import { expect, test } from 'vitest';
import { aGift, aRoundUp } from '../../testing/makers.ts';
import { byMonth, chooseLines, firstLines, linesOf, notDebitedCents, saysMore } from './history-lines.ts';

const line = (...[changes]: Parameters<typeof aRoundUp>) => RoundUpHistoryItem.parse(aRoundUp(changes));
const debit = (...[changes]: Parameters<typeof aGift>) => HistoryDebit.parse(aGift(changes));
const given = (on: string, clubCents: number) => ({ on, clubCents });
const coffee = line({
  lineId: 'coffee',
  description: 'VISA 24/11 GROUND UP COFFEE',
  createdDate: '2026-11-24',
  given: given('2026-11-25', 33),
});
const exact = line({
  lineId: 'exact',
  debitAmountCents: 0,
  why: 'exact amount',
  state: 'none',
  amount: '12.00',
  given: null,
});
const pending = line({
  lineId: 'pending',
  debitAmountCents: 0,
  why: 'waiting for your bank',
  state: 'none',
  given: null,
});
const refund = line({
  lineId: 'refund',
  debitAmountCents: -21,
  why: 'a refund',
  createdDate: '2026-10-31',
  given: given('2026-11-02', -11),
});
const waiting = line({
  lineId: 'waiting',
  debitAmountCents: 40,
  createdDate: '2026-11-26',
  state: 'waiting',
  given: null,
});
const all = linesOf({ roundUphistory: [refund, exact, pending, coffee, waiting], debits: [debit()] });
const ids = (choice: Partial<Parameters<typeof chooseLines>[1]>, lines = all) =>
  chooseLines(lines, { search: '', showsAll: false, ...choice }).map(({ id }) => id);

test('purchases that counted, were taken off or may still count are listed with the gifts, newest first', () => {
  expect(ids({})).toEqual(['waiting', 'coffee', 'gift', 'pending', 'refund']);
});

test('all other lines are listed when asked for', () => {
  expect(ids({ showsAll: true })).toEqual(['waiting', 'coffee', 'gift', 'exact', 'pending', 'refund']);
});

test.each(['ground up', 'Ground Up Coffee', '24/11'])('"%s" finds the coffee', (search) => {
  expect(ids({ search })).toEqual(['coffee']);
});

test('an amount is found as shown, including a gift’s', () => {
  expect(ids({ search: '$12.0', showsAll: true })).toEqual(['exact']);
  expect(ids({ search: '20' })).toEqual(['gift']);
  expect(ids({ search: '$20.00' })).toEqual(['gift']);
  const large = linesOf({ roundUphistory: [line({ amount: '1249.95' })], debits: [debit({ amountCents: 120_000 })] });
  expect(ids({ search: '$1,2' }, large)).toEqual(['gift', 'line']);
});

test('waiting lines come first, then each month’s debited lines with the sum given', () => {
  const months = byMonth(chooseLines(all, { search: '', showsAll: true }));
  expect(months.map(({ name, cents, lines }) => [name, cents, lines.map(({ id }) => id)])).toEqual([
    ['Not debited yet', 40, ['waiting', 'pending']],
    ['November 2026', 2022, ['coffee', 'gift', 'exact', 'refund']],
  ]);
  expect(notDebitedCents(all)).toBe(40);
  expect(firstLines(months, 3).map(({ cents, lines }) => [cents, lines.length])).toEqual([
    [40, 2],
    [2022, 1],
  ]);
  expect(firstLines(months, 6)).toEqual(months);
});

test('amounts taken back, dropped or never debited are listed in a month and add nothing to it', () => {
  const months = byMonth(
    linesOf({
      roundUphistory: [
        line({ lineId: 'reversed', state: 'returned', given: given('2026-12-02', 0) }),
        line({ lineId: 'dropped', state: 'dropped', given: null }),
      ],
      debits: [
        debit({ debitId: 'back', state: 'returned', clubCents: null }),
        debit({ debitId: 'planned', state: 'waiting', clubCents: null }),
      ],
    }),
  );
  expect(months.map(({ name, cents, lines }) => [name, cents, lines.map(({ id }) => id)])).toEqual([
    ['Not debited yet', 2000, ['planned']],
    ['December 2026', 0, ['reversed']],
    ['November 2026', 0, ['back', 'dropped']],
  ]);
});

test.each([
  ['GELATO MESSINA', 'Gelato Messina', false],
  ['PENDING 12/11 GELATO  MESSINA', 'Gelato Messina', false],
  ["O'BRIEN-HALL", 'OBrien Hall', false],
  ['BUNNINGS 321000 ALEXANDRIA', 'Bunnings Alexandria', false],
  ['DUMPLING ALLEY MELBOURNE VIC AU', 'Dumpling Alley Melbourne', false],
  ['11:03 CAFÉ MIMOSA', 'Café Mimosa', false],
  ['PAYPAL *BOOKSHOP', 'Bookshop', true],
  ['REFUND PURCHASE TRANSPORTFORNSW OPAL', 'Transportfornsw Opal', true],
  ['A VERY LONG NAMED BOOKSHOP OF NEWTOWN AND DISTRICT', 'A Very Long Named Bookshop Of Newtown And District', false],
])("the bank's text %j says more than the name %j: %s", (description, name, says) => {
  expect(saysMore(description, name)).toBe(says);
});
