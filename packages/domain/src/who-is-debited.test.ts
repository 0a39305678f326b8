import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { type Cents, cents } from './money.ts';
import { candidateOf, type Giver, isDebited, type MailReader, reasonNotDebited, toldBefore } from './who-is-debited.ts';

const run = isoDate('2026-11-25');
const willing: Giver & MailReader = {
  waiting: cents(145),
  repeats: cents(0),
  refunds: cents(0),
  isPlanned: false,
  hasCampaignEnded: false,
  isTenantStopped: false,
  hasConsent: true,
  isPaused: false,
  isSkipped: false,
  minimum: cents(0),
  ceiling: cents(1000_00),
  wantsDebitMails: true,
  lastGaveOn: addDays(run, -2),
};

test.each<[Partial<Giver>, string | undefined]>([
  [{}, undefined],
  [{ isPlanned: true, isPaused: true }, 'already planned'],
  [{ hasCampaignEnded: true, hasConsent: false }, 'campaign ended'],
  [{ isTenantStopped: true, isPaused: true }, 'tenant stopped'],
  [{ hasConsent: false, isPaused: true }, 'no consent'],
  [{ isPaused: true, isSkipped: true }, 'paused'],
  [{ isSkipped: true, ceiling: undefined }, 'skipped'],
  [{ ceiling: undefined, minimum: cents(200) }, 'no funding account'],
  [{ minimum: cents(146) }, 'below minimum'],
  [{ minimum: cents(145) }, undefined],
  [{ ceiling: cents(144) }, 'over ceiling'],
  [{ ceiling: cents(145) }, undefined],
])('with %o the reason not to debit is %s', (changes, reason) => {
  expect(reasonNotDebited({ ...willing, ...changes })).toBe(reason);
});

test.each<[string, Partial<Giver & MailReader>, number | undefined]>([
  ['who is debited', {}, 145],
  ['who is debited for what they gave long ago', { lastGaveOn: addDays(run, -20) }, 145],
  ['who wants no mails', { wantsDebitMails: false }, undefined],
  ['who gave lately and has nothing waiting', { waiting: cents(0) }, 0],
  ['who gave seven days before the run', { waiting: cents(0), lastGaveOn: addDays(run, -7) }, 0],
  ['who gave eight days before it', { waiting: cents(0), lastGaveOn: addDays(run, -8) }, undefined],
  ['who never gave', { waiting: cents(0), lastGaveOn: undefined }, undefined],
  ['who gave lately and was paid back more than waits', { refunds: cents(200) }, 0],
  ['who gave lately and has less than the tenant debits', { minimum: cents(200) }, 145],
  ['who gave lately and skips the run', { isSkipped: true }, undefined],
  ['who has agreed to less', { ceiling: cents(100) }, undefined],
])('of %s the mail says %s', (_who, changes, amount) => {
  expect(toldBefore(run, { ...willing, ...changes })).toBe(amount);
});

const amount = fc.constantFrom(0, 0, 35, 100, 145, 900).map(cents);
const giver = fc.record<Giver & MailReader>({
  waiting: amount,
  repeats: amount,
  refunds: amount,
  isPlanned: fc.boolean(),
  hasCampaignEnded: fc.boolean(),
  isTenantStopped: fc.boolean(),
  hasConsent: fc.boolean(),
  isPaused: fc.boolean(),
  isSkipped: fc.boolean(),
  minimum: fc.constantFrom(0, 0, 100).map(cents),
  ceiling: fc.option(fc.constantFrom(100, 1000).map(cents), { nil: undefined }),
  wantsDebitMails: fc.boolean(),
  lastGaveOn: fc.option(
    fc.nat(20).map((days) => addDays(run, -days)),
    { nil: undefined },
  ),
});
const obstacles = ['isPlanned', 'hasCampaignEnded', 'isTenantStopped', 'isPaused', 'isSkipped'] as const;

test('nobody is debited against their will, above what they agreed to, or for nothing', () =>
  fc.assert(
    fc.property(giver, (giver) => {
      if (!isDebited(giver)) return;
      for (const obstacle of obstacles) expect(giver[obstacle]).toBe(false);
      expect(giver.hasConsent).toBe(true);
      expect(candidateOf(giver)).toBeGreaterThan(0);
      expect(candidateOf(giver)).toBeLessThanOrEqual(giver.ceiling ?? 0);
    }),
  ));

test('whoever is debited and wants to know is told, with the very amount', () =>
  fc.assert(
    fc.property(giver, (giver) => {
      if (isDebited(giver) && giver.wantsDebitMails) expect(toldBefore(run, giver)).toBe(candidateOf(giver));
      if (!giver.wantsDebitMails) expect(toldBefore(run, giver)).toBeUndefined();
    }),
  ));

test('whatever the night brings to somebody who gave lately, no debit in the morning is one that they were not told of', () =>
  fc.assert(
    fc.property(giver, fc.integer({ min: 1, max: 900 }), (giver, more) => {
      const gaveLately = giver.lastGaveOn !== undefined && giver.lastGaveOn >= addDays(run, -7);
      const inTheMorning = { ...giver, waiting: cents(giver.waiting + more) };
      if (!giver.wantsDebitMails || !gaveLately || !isDebited(inTheMorning)) return;
      expect(toldBefore(run, giver)).toBeDefined();
    }),
  ));

test('whom nothing could bring into the run is left in peace', () =>
  fc.assert(
    fc.property(giver, fc.integer({ min: 0, max: 900 }), (giver, more) => {
      const told: Cents | undefined = toldBefore(run, giver);
      if (obstacles.some((obstacle) => giver[obstacle]) || !giver.hasConsent) expect(told).toBeUndefined();
      if (told !== undefined) expect(told).toBeGreaterThanOrEqual(0);
      if (reasonNotDebited(giver) === 'skipped')
        expect(isDebited({ ...giver, waiting: cents(giver.waiting + more) })).toBe(false);
    }),
  ));
