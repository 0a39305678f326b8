import { RoundUpHistoryItem } from '@sparechange/contract';
import { expect, test } from 'vitest';
import { aRoundUp } from '../../testing/makers.ts';
import { byMonth, chooseLines, firstLines } from './history-lines.ts';

const line = (...[changes]: Parameters<typeof aRoundUp>) => RoundUpHistoryItem.parse(aRoundUp(changes));
const coffee = line({ lineId: 'coffee', description: 'VISA 24/11 GROUND UP COFFEE', createdDate: '2026-11-24' });
const exact = line({ lineId: 'exact', debitAmountCents: 0, why: 'exact amount', state: 'none', amount: '12.00' });
const pending = line({ lineId: 'pending', debitAmountCents: 0, why: 'waiting for your bank', state: 'none' });
const refund = line({ lineId: 'refund', debitAmountCents: -21, why: 'a refund', createdDate: '2026-10-31' });
const all = [refund, exact, pending, coffee];
const ids = (choice: Partial<Parameters<typeof chooseLines>[1]>) =>
  chooseLines(all, { search: '', showsAll: false, ...choice }).map(({ lineId }) => lineId);

test('what counted, was taken off or may still count is listed, newest first', () => {
  expect(ids({})).toEqual(['coffee', 'pending', 'refund']);
});

test('everything else is listed too when it is asked for', () => {
  expect(ids({ showsAll: true })).toEqual(['coffee', 'exact', 'pending', 'refund']);
});

test.each(['ground up', 'Ground Up Coffee', '24/11'])('"%s" finds the coffee', (search) => {
  expect(ids({ search })).toEqual(['coffee']);
});

test('an amount is found as it is shown', () => {
  expect(ids({ search: '$12.0', showsAll: true })).toEqual(['exact']);
  const large = all.slice(0, 1).map((item) => ({ ...item, amount: '1249.95' }));
  expect(chooseLines(large, { search: '$1,249', showsAll: true })).toHaveLength(1);
});

test('months have their sums, also where not all of their lines are shown', () => {
  const months = byMonth(chooseLines(all, { search: '', showsAll: true }));
  expect(months.map(({ name, cents }) => [name, cents])).toEqual([
    ['November 2026', 65],
    ['October 2026', -21],
  ]);
  expect(firstLines(months, 1).map(({ cents, items }) => [cents, items.length])).toEqual([[65, 1]]);
  expect(firstLines(months, 4)).toEqual(months);
});
