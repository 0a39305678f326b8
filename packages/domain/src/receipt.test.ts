import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { cents } from './money.ts';
import { deductibleCents, type GiftEntry, receiptNumber } from './receipt.ts';
import { periodOf } from './receipt-period.ts';

const since = isoDate('2026-07-01');
const gift = (amount: number, changes: Partial<GiftEntry> = {}): GiftEntry => ({
  clubId: 'club',
  day: since,
  kind: 'round-ups',
  cents: cents(amount),
  givenOn: since,
  ...changes,
});

test.each([
  ['$2 to a deductible gift recipient', gift(200), since, 200],
  ['a cent less', gift(199), since, 0],
  ['a dollar refunded of a gift of $5', gift(-100, { kind: 'refunded', giftCents: cents(500) }), since, -100],
  ['a dollar refunded of a gift of $1.50', gift(-100, { kind: 'refunded', giftCents: cents(150) }), since, 0],
  ['a gift of the day before it became one', gift(500, { givenOn: isoDate('2026-06-30') }), since, 0],
  ['a gift to any other club', gift(500), null, 0],
  ['what was taken back of a deductible gift', gift(-500, { kind: 'taken back' }), since, -500],
  ['what was taken back of one that never was', gift(-199, { kind: 'taken back' }), since, 0],
])('%s', (_what, entry, recipientSince, deductible) => {
  expect(deductibleCents(entry, recipientSince)).toBe(deductible);
});

test('a gift that is taken back leaves nothing to deduct, whenever that is', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 250_00 }),
      fc.integer({ min: -400, max: 400 }),
      fc.nat(400),
      (amount, days, later) => {
        const givenOn = addDays(since, days);
        const back = gift(-amount, { kind: 'taken back', givenOn, day: addDays(givenOn, later) });
        expect(deductibleCents(gift(amount, { givenOn }), since) + deductibleCents(back, since)).toBe(0);
      },
    ),
  ));

const robin = '0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604';

test.each([
  ['month', '2026-10-01', '1DP8Y-3JD3Y-2026-10'],
  ['year', '2026-07-01', '1DP8Y-3JD3Y-FY2027'],
  ['month', '2012-12-01', '1DP8Y-3JD3Y-2012-12'],
  ['year', '2011-07-01', '1DP8Y-3JD3Y-FY2012'],
] as const)('the number of the %s from %s names supporter and period', (kind, firstDay, number) => {
  expect(receiptNumber(robin, { kind, firstDay: isoDate(firstDay) })).toBe(number);
});

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(isoDate('2000-01-01'), days));
const kind = fc.constantFrom('month' as const, 'year' as const);
const period = fc.tuple(kind, day).map(([kind, day]) => periodOf(kind, day));

test('numbers differ for supporters whose ids begin differently, and for periods that differ', () =>
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), period, period, (one, other, first, second) => {
      fc.pre(one.slice(0, 12) !== other.slice(0, 12));
      expect(receiptNumber(one, first)).not.toBe(receiptNumber(other, second));
      const isSame = first.kind === second.kind && first.firstDay === second.firstDay;
      expect(receiptNumber(one, first) === receiptNumber(one, second)).toBe(isSame);
    }),
  ));

test('numbers of a kind run with time', () =>
  fc.assert(
    fc.property(kind, day, day, (kind, one, other) => {
      const [first, second] = [periodOf(kind, one), periodOf(kind, other)];
      const runs = receiptNumber(robin, first) < receiptNumber(robin, second);
      expect(runs).toBe(first.firstDay < second.firstDay);
    }),
  ));
