import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { isWorthRecording, whyIneligible, whyNotFullyCounted } from './why-counted.ts';

const roundUp = (raw: number, counted: number, isRefunded = false) => ({
  raw: cents(raw),
  counted: cents(counted),
  isRefunded,
});

test.each([
  [roundUp(65, 65), undefined],
  [roundUp(0, 0), 'exact amount'],
  [roundUp(65, 20), 'over the weekly limit'],
  [roundUp(65, 0), 'over the weekly limit'],
  [roundUp(65, 65, true), 'refunded'],
  [roundUp(0, 0, true), 'refunded'],
])('the reason for %j', (given, why) => expect(whyNotFullyCounted(given)).toBe(why));

test('nothing is said exactly where there was spare change and all of it counts', () => {
  const anyRoundUp = fc.record({ raw: fc.nat(499), share: fc.nat(499), isRefunded: fc.boolean() });
  fc.assert(
    fc.property(anyRoundUp, ({ raw, share, isRefunded }) => {
      const counted = Math.min(raw, share);
      const isAsExpected = raw > 0 && counted === raw && !isRefunded;
      expect(whyNotFullyCounted(roundUp(raw, counted, isRefunded)) === undefined).toBe(isAsExpected);
    }),
  );
});

test.each([
  ['pending', 'waiting for your bank'],
  ['not a payment', 'not a purchase'],
  ['bill payment', 'a bill'],
  ['paused', 'paused'],
] as const)('a line left out as "%s" is explained as "%s"', (reason, why) => expect(whyIneligible(reason)).toBe(why));

test('money that came in, our own debits and lines without an amount are not listed', () => {
  expect((['credit', 'own debit', 'no amount', 'foreign currency'] as const).filter(isWorthRecording)).toEqual([]);
});
