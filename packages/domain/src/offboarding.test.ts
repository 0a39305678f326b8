import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents, formatCents } from './money.ts';
import {
  canTake,
  nothingHeld,
  type OffboardingStatus,
  offboardingSteps,
  underWay,
  whatStays,
  whatStepDoes,
} from './offboarding.ts';

const amount = fc.integer({ min: 1, max: 100_000 }).map(cents);
const sum = fc.oneof(
  fc.constant({ count: 0, cents: cents(0) }),
  fc.record({ count: fc.integer({ min: 1, max: 9 }), cents: amount }),
);
const maybe = fc.oneof(fc.constant(cents(0)), amount);
const status: fc.Arbitrary<OffboardingStatus> = fc.record({
  isPaused: fc.boolean(),
  hasMandate: fc.boolean(),
  hasConsent: fc.boolean(),
  hasBankData: fc.boolean(),
  debits: sum,
  donations: sum,
  donationsToCome: sum,
  deposits: sum,
  refunds: sum,
  waitingCents: maybe,
  setAsideCents: maybe,
});
const step = fc.constantFrom(...offboardingSteps);

const three = { count: 3, cents: cents(1234) };
const one = { count: 1, cents: cents(342) };

test('what is under way is said in a sentence each', () => {
  const held = { debits: one, donations: three, deposits: one, refunds: three, setAsideCents: cents(65) };
  expect(underWay({ ...nothingHeld, ...held })).toEqual([
    'A debit of $3.42 is already with your bank and will still be taken.',
    '3 one-off donations of $12.34 in all are already with your bank and will still be taken.',
    '$3.42 is on its way to your savings account.',
    '3 refunds of $12.34 in all are on their way to your bank account.',
    '$0.65 is set aside for you and goes to your savings account with the next deposits.',
  ]);
});

test('with nothing under way nothing is said', () => expect(underWay(nothingHeld)).toEqual([]));

test('stopping says how it differs from a pause, and what becomes of what waits', () => {
  const words = whatStepDoes('stop', { ...nothingHeld, waitingCents: cents(65), donationsToCome: one });
  expect(words).toEqual([
    'Your authority to debit is cancelled right away, and your round-ups are paused. No new debit is taken.',
    'A pause is undone with a switch. This is not: to give again, you choose an account and agree to debits again.',
    'A one-off donation of $3.42 has not gone to your bank yet, and will not be taken.',
    '$0.65 of spare change is waiting. It is taken only if you do that.',
  ]);
});

test('every step but a download says everything that is under way, and every amount it says is there', () =>
  fc.assert(
    fc.property(step, status, (step, status) => {
      const words = whatStepDoes(step, status);
      if (step !== 'download') expect(words).toEqual(expect.arrayContaining(underWay(status)));
      const { debits, donations, donationsToCome, deposits, refunds } = status;
      const known = [debits, donations, donationsToCome, deposits, refunds].map((sum) => sum.cents);
      const amounts = [...known, status.waitingCents, status.setAsideCents].map((amount) => formatCents(cents(amount)));
      for (const amount of words.join(' ').match(/\$[\d,]+\.\d\d/g) ?? []) expect(amounts).toContain(amount);
    }),
  ));

test('bank data are never said to be deleted immediately while a payment needs them', () =>
  fc.assert(
    fc.property(status, (status) => {
      const waits = status.debits.count + status.donations.count + status.refunds.count > 0;
      for (const step of ['withdraw', 'delete', 'close'] as const) {
        const words = whatStepDoes(step, status).join(' ');
        expect(words.includes('as soon as the payments below are done')).toBe(waits);
        expect(words).toContain(whatStays);
      }
    }),
  ));

test('a step is offered only where it changes something, a download and closing always', () =>
  fc.assert(
    fc.property(status, (status) => {
      expect(canTake('pause', status)).toBe(!status.isPaused);
      expect(canTake('withdraw', status)).toBe(status.hasConsent);
      expect(canTake('delete', status)).toBe(status.hasBankData);
      expect([canTake('download', status), canTake('close', status)]).toEqual([true, true]);
      expect(canTake('stop', { ...status, hasMandate: true })).toBe(true);
    }),
  ));
