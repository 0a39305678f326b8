import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { PlannedDebit, TimelineFact } from './timeline-facts.ts';
import { sentenceFor } from './timeline-sentences.ts';

const payment = { reference: 'RU0123456789ABCDEF', amount: cents(435) };
const planned: PlannedDebit = {
  ...payment,
  kind: 'debit planned',
  debit: 'round-up',
  runDate: isoDate('2026-11-25'),
  savings: cents(217),
  represented: cents(0),
  refunds: cents(0),
  maskedAccount: 'XXXX5678',
  covers: 3,
  days: [
    { day: isoDate('2026-11-23'), purchases: 1, counted: cents(120) },
    { day: isoDate('2026-11-24'), purchases: 2, counted: cents(315) },
  ],
};

test('a debit names the days of its cents, the account, and the savings part', () => {
  expect(sentenceFor(planned)).toBe(
    'Debit RU0123456789ABCDEF of $4.35 was planned for Wed 25 Nov 2026 from account XXXX5678: ' +
      'round-ups of Mon 23 Nov 2026 $1.20 (1 purchase), Tue 24 Nov 2026 $3.15 (2 purchases). $2.17 of it is for savings.',
  );
});

test('deleted and repeated parts are mentioned, too', () => {
  expect(sentenceFor({ ...planned, savings: cents(0), covers: 5, represented: cents(70) })).toMatch(
    /\(2 purchases\); 2 round-ups deleted with the bank's data; \$0\.70 that earlier debits did not collect\.$/,
  );
  expect(sentenceFor({ ...planned, savings: cents(0), covers: 0, days: [], represented: cents(435) })).toMatch(
    /XXXX5678: \$4\.35 that earlier debits did not collect\.$/,
  );
  expect(sentenceFor({ ...planned, savings: cents(0), refunds: cents(35) })).toMatch(
    /\(2 purchases\); less \$0\.35 for purchases that were refunded\.$/,
  );
  expect(sentenceFor({ ...planned, debit: 'donation', savings: cents(0) })).toMatch(/XXXX5678: a one-off donation\.$/);
});

test.each<[TimelineFact, string]>([
  [
    { ...payment, kind: 'debit returned', code: 6 },
    'Debit RU0123456789ABCDEF of $4.35 came back with code 6, refer to customer.',
  ],
  [
    { ...payment, kind: 'debit reversed', code: null },
    'Debit RU0123456789ABCDEF of $4.35 was taken back after it had cleared, without a code.',
  ],
  [
    { ...payment, kind: 'debit cleared', savings: cents(217), club: 'Rovers' },
    'Debit RU0123456789ABCDEF of $4.35 cleared: $2.18 for Rovers. $2.17 of it is for savings.',
  ],
  [
    { ...payment, kind: 'deposit returned', reason: 'account closed', code: null },
    'Savings deposit RU0123456789ABCDEF of $4.35 was returned: account closed.',
  ],
  [
    { ...payment, kind: 'deposit returned', reason: null, code: 3 },
    'Savings deposit RU0123456789ABCDEF of $4.35 was returned with code 3, account closed.',
  ],
  [
    { ...payment, kind: 'refund submitted', debit: 'RU01', providerRef: 'PR.1' },
    'Refund RU0123456789ABCDEF of $4.35 of debit RU01 was submitted; the provider calls it PR.1.',
  ],
  [{ ...payment, kind: 'refund cleared', debit: 'RU01' }, 'Refund RU0123456789ABCDEF of $4.35 of debit RU01 arrived.'],
  [
    { ...payment, kind: 'refund refused', debit: 'RU01', reason: null, code: null },
    'Refund RU0123456789ABCDEF of $4.35 of debit RU01 was refused.',
  ],
  [
    { kind: 'noted', actor: 'supporter', action: 'changed weekly limit', details: { limit: 750 } },
    'The supporter changed weekly limit (limit: $7.50).',
  ],
  [
    { kind: 'noted', actor: 'supporter', action: 'changed round-up step', details: { step: 200 } },
    'The supporter changed round-up step (step: $2.00).',
  ],
  [
    { kind: 'noted', actor: 'mailed link', action: 'no longer skips a debit', details: { run: '2026-11-25' } },
    'Somebody with a mailed link no longer skips a debit (run: 2026-11-25).',
  ],
  [
    {
      kind: 'noted',
      actor: 'operator',
      action: 'debit refunded',
      details: {
        debit: '01a21fec-6ccf-73ae-a0e5-bdf0f8bc2d18',
        cents: 995,
        savings: 0,
        because: 'A shop charged them twice',
      },
    },
    'An operator refunded a debit (amount: $9.95, savings: $0.00, A shop charged them twice).',
  ],
  [
    { kind: 'noted', actor: 'operator', action: 'held debits', details: { because: 'They dispute one' } },
    'An operator held debits (They dispute one).',
  ],
  [{ kind: 'noted', actor: 'open banking', action: 'consent expired', details: {} }, 'The bank link: consent expired.'],
  [
    { kind: 'noted', actor: 'somebody', action: 'switched savings', details: { on: true, reason: null } },
    'somebody switched savings (on: yes, no reason).',
  ],
  [
    {
      kind: 'bank data deleted',
      accounts: 2,
      roundUps: 3,
      because: 'withdrawn',
      askedBy: 'supporter',
      dropped: cents(65),
    },
    '2 accounts and 3 purchases from the bank were deleted, because the consent had been withdrawn (asked by supporter); $0.65 not yet collected was dropped.',
  ],
  [
    { kind: 'mail given up', about: 'welcome', run: null, soFar: null, failure: 'no such box' },
    'A mail could not be delivered: welcome: no such box.',
  ],
  [
    { kind: 'mail sent', about: 'debit_notice', run: isoDate('2026-11-25'), soFar: cents(342), failure: null },
    'A mail was sent: debit notice of Wed 25 Nov 2026, $3.42 so far.',
  ],
  [
    { ...payment, kind: 'debit deferred', reason: 'below floor' },
    'Debit RU0123456789ABCDEF of $4.35 was not asked for and waits for the next run: the balance was below the floor they had chosen.',
  ],
  [
    { ...payment, kind: 'debit dropped', because: 'waited three runs' },
    '$4.35 of debit RU0123456789ABCDEF was dropped: it had waited three runs, and is not asked for again.',
  ],
  [
    {
      kind: 'purchase refunded',
      boughtOn: isoDate('2026-11-23'),
      refundedOn: isoDate('2026-11-24'),
      off: cents(65),
    },
    'A purchase of Mon 23 Nov 2026 was paid back on Tue 24 Nov 2026: $0.65 comes off the next debit.',
  ],
  [
    {
      kind: 'receipt issued',
      number: 'ABCDE-1',
      firstDay: isoDate('2026-11-01'),
      lastDay: isoDate('2026-11-30'),
      total: cents(1842),
    },
    'Receipt ABCDE-1 for Sun 1 Nov 2026 to Mon 30 Nov 2026 was issued: $18.42.',
  ],
])('%j reads as a sentence', (fact, sentence) => expect(sentenceFor(fact)).toBe(sentence));
