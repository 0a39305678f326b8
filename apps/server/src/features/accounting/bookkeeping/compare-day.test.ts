import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { type BankLine, compareDay, type Settlement } from './compare-day.ts';

const day = isoDate('2026-12-09');
const later = isoDate('2026-12-20');

const line = (amount: number, more: Partial<BankLine> = {}): BankLine => ({
  id: `line ${amount}`,
  bookedOn: day,
  cents: cents(amount),
  description: 'SETTLEMENT',
  reference: null,
  matchedKind: null,
  matchedWith: null,
  settledCents: null,
  ...more,
});
const settlement = (amount: number, more: Partial<Settlement> = {}): Settlement => ({
  name: '2026-12-09',
  settledOn: day,
  cents: cents(amount),
  bankCents: null,
  bankDay: null,
  ...more,
});

test('a settlement and its line agree, in one row', () => {
  const matched = line(4469, { matchedKind: 'settlement', matchedWith: '2026-12-09', settledCents: cents(4469) });
  const { state, rows } = compareDay(
    day,
    [matched],
    [settlement(4469, { bankCents: cents(4469), bankDay: day })],
    later,
  );
  expect([state, rows]).toMatchObject(['agrees', [{ bankCents: 4469, providerCents: 4469, ledgerCents: 4469 }]]);
  expect(rows).toHaveLength(1);
});

test('a line of $1 less than the settlement is one row that differs by $1.00', () => {
  const { state, differenceCents, differing, rows } = compareDay(day, [line(4369)], [settlement(4469)], later);
  expect({ state, differenceCents, differing }).toEqual({ state: 'differs', differenceCents: 100, differing: 1 });
  expect(rows).toMatchObject([{ bankCents: 4369, providerCents: 4469, ledgerCents: null, differenceCents: 100 }]);
});

test('it is the same row on the day of the line, where the bank booked it later', () => {
  const booked = isoDate('2026-12-11');
  const lines = [line(4369, { bookedOn: booked })];
  expect(compareDay(booked, lines, [settlement(4469)], later)).toMatchObject({ differing: 1, differenceCents: 100 });
  expect(compareDay(day, lines, [settlement(4469)], later)).toMatchObject({ differing: 1, differenceCents: 100 });
});

test('a settlement waits for the bank for five days, then it is missing', () => {
  const of = (last: string) => compareDay(day, [], [settlement(4469)], isoDate(last));
  expect(of('2026-12-13')).toMatchObject({ state: 'waiting', differing: 0 });
  expect(of('2026-12-14')).toMatchObject({ state: 'differs', differenceCents: 4469 });
});

test('a line that nothing explains differs by its amount; one with another amount by far is not the settlement’s', () => {
  const lines = [line(-1250, { description: 'FEE' }), line(100_000)];
  const compared = compareDay(day, lines, [settlement(4469)], later);
  expect(compared).toMatchObject({ state: 'differs', differing: 3, differenceCents: 1250 + 100_000 + 4469 });
});

test('matched payouts and lines matched by hand agree, and a day without either has nothing to compare', () => {
  const lines = [
    line(-500, { matchedKind: 'payout', matchedWith: 'CL1' }),
    line(-1250, { matchedKind: 'by_hand', matchedWith: 'fees' }),
  ];
  expect(compareDay(day, lines, [], later)).toMatchObject({ state: 'agrees', differenceCents: 0 });
  expect(compareDay(day, [], [], later).state).toBe('nothing');
});
