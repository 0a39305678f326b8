import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cents, cents } from '../money.ts';
import {
  amountOf,
  type DebitCandidate,
  debitIneligibility,
  isDebited,
  type MailReader,
  noticeAmount,
} from './debit-eligibility.ts';

const willing: DebitCandidate & MailReader = {
  waiting: [cents(100), cents(45)],
  represented: [],
  refunds: cents(0),
  isPlanned: false,
  hasCampaignEnded: false,
  isTenantSuspended: false,
  isOnHold: false,
  hasParkedDebit: false,
  hasConsent: true,
  isPaused: false,
  isSkipped: false,
  minimum: cents(0),
  ceiling: cents(1000_00),
  wantsDebitNotice: true,
};

test.each<[Partial<DebitCandidate>, string | undefined]>([
  [{}, undefined],
  [{ isPlanned: true, isPaused: true }, 'already planned'],
  [{ hasCampaignEnded: true, hasConsent: false }, 'campaign ended'],
  [{ isTenantSuspended: true, isPaused: true }, 'tenant suspended'],
  [{ hasConsent: false, isPaused: true }, 'no consent'],
  [{ isPaused: true, isSkipped: true }, 'paused'],
  [{ isSkipped: true, ceiling: undefined }, 'skipped'],
  [{ ceiling: undefined, minimum: cents(200) }, 'no funding account'],
  [{ minimum: cents(146) }, 'below minimum'],
  [{ minimum: cents(145) }, undefined],
  [{ isOnHold: true, hasConsent: false }, 'on hold'],
  [{ hasParkedDebit: true, hasConsent: false }, 'debit parked'],
  [{ ceiling: cents(144) }, undefined],
  [{ ceiling: cents(99) }, 'over ceiling'],
  [{ ceiling: cents(145) }, undefined],
])('with %o the reason not to debit is %s', (changes, reason) => {
  expect(debitIneligibility({ ...willing, ...changes })).toBe(reason);
});

test.each<[string, Partial<DebitCandidate & MailReader>, number | undefined]>([
  ['who is debited', {}, 145],
  ['who wants no mails', { wantsDebitNotice: false }, undefined],
  ['who has nothing waiting', { waiting: [] }, undefined],
  ['who was paid back more than waits', { refunds: cents(200) }, undefined],
  ['who has less than the tenant debits', { minimum: cents(200) }, undefined],
  ['who has as much as the tenant debits', { minimum: cents(145) }, 145],
  ['who skips the run', { isSkipped: true }, undefined],
  ['who has agreed to less', { ceiling: cents(120) }, 100],
  ['who has agreed to less than the first part', { ceiling: cents(99) }, undefined],
])('of %s the email says %s', (_who, changes, amount) => {
  expect(noticeAmount({ ...willing, ...changes })).toBe(amount);
});

const amount = fc.constantFrom(0, 0, 35, 100, 145, 900).map(cents);
const supporter = fc.record<DebitCandidate & MailReader>({
  waiting: fc.array(amount, { maxLength: 4 }),
  represented: fc.array(amount, { maxLength: 2 }),
  refunds: amount,
  isPlanned: fc.boolean(),
  hasCampaignEnded: fc.boolean(),
  isTenantSuspended: fc.boolean(),
  isOnHold: fc.boolean(),
  hasParkedDebit: fc.boolean(),
  hasConsent: fc.boolean(),
  isPaused: fc.boolean(),
  isSkipped: fc.boolean(),
  minimum: fc.constantFrom(0, 0, 100).map(cents),
  ceiling: fc.option(fc.constantFrom(100, 1000).map(cents), { nil: undefined }),
  wantsDebitNotice: fc.boolean(),
});
const obstacles = [
  'isPlanned',
  'hasCampaignEnded',
  'isTenantSuspended',
  'isOnHold',
  'hasParkedDebit',
  'isPaused',
  'isSkipped',
] as const;

test('nobody is debited against their will, above what they agreed to, or for nothing', () =>
  fc.assert(
    fc.property(supporter, (supporter) => {
      if (!isDebited(supporter)) return;
      for (const obstacle of obstacles) expect(supporter[obstacle]).toBe(false);
      expect(supporter.hasConsent).toBe(true);
      expect(amountOf(supporter)).toBeGreaterThan(0);
      expect(amountOf(supporter)).toBeLessThanOrEqual(supporter.ceiling ?? 0);
    }),
  ));

test('a debited supporter with notices on is emailed the very amount', () =>
  fc.assert(
    fc.property(supporter, (supporter) => {
      if (isDebited(supporter) && supporter.wantsDebitNotice) expect(noticeAmount(supporter)).toBe(amountOf(supporter));
      if (!supporter.wantsDebitNotice) expect(noticeAmount(supporter)).toBeUndefined();
    }),
  ));

test('a supporter who cannot get into the run is not emailed', () =>
  fc.assert(
    fc.property(supporter, fc.integer({ min: 0, max: 900 }), (supporter, more) => {
      const notice: Cents | undefined = noticeAmount(supporter);
      if (obstacles.some((obstacle) => supporter[obstacle]) || !supporter.hasConsent) expect(notice).toBeUndefined();
      if (notice !== undefined) expect(notice).toBeGreaterThan(0);
      if (debitIneligibility(supporter) === 'skipped')
        expect(isDebited({ ...supporter, waiting: [...supporter.waiting, cents(more)] })).toBe(false);
    }),
  ));
