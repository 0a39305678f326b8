import { cents, isoDate, noCents } from '@sparechange/domain';
import type { EmailContext } from '../email.ts';
import type { MailFacts } from '../mail-facts.ts';

/** Returns the context of the example emails, with links below a site. */
export const exampleContext = (site: URL): EmailContext => ({
  today: isoDate('2026-11-24'),
  isClosed: false,
  hasCampaignEnded: false,
  page: (path) => new URL(path, site),
  graceDays: 30,
  confirmEmail: () => undefined,
  statementName: 'Sparechange',
  directDebitText: 'Your direct debit request\nNo single debit is more than $1,000.',
  skip: (run) => new URL(`/skip-debit/${run}`, site),
  debitNotices: () => new URL('/debit-mails/token', site),
  renewal: (purpose, until) => new URL(`/${purpose}-consent/robin@example.com?token=${until.getTime()}`, site),
});
const until = '2027-11-25T00:00:00.000Z';

const underWay = {
  debits: { count: 1, cents: cents(342) },
  donations: { count: 0, cents: noCents },
  deposits: { count: 1, cents: cents(1204) },
  refunds: { count: 1, cents: cents(500) },
  setAsideCents: cents(65),
};

/** Every kind of email, with its possible contents. */
export const everyKind: Record<MailFacts['kind'], MailFacts[]> = {
  welcome: [{ kind: 'welcome', clubName: 'The Rovers', roundsFrom: '2026-11-01' }],
  onboarding_reminder: [{ kind: 'onboarding_reminder', clubName: 'The Rovers' }],
  consent_reminder: [{ kind: 'consent_reminder', expiresAt: until, expiresOn: '2027-11-25' }],
  bank_reminder: [{ kind: 'bank_reminder', endsOn: '2027-11-25' }],
  bank_ended: [{ kind: 'bank_ended', endedOn: '2027-11-25' }],
  consent_expired: [{ kind: 'consent_expired', linkUntil: until, endedOn: '2027-11-25' }],
  consent_withdrawn: [{ kind: 'consent_withdrawn', linkUntil: until }],
  debit_returned: (['change the account', 'asked once more', 'nothing'] as const).flatMap((remedy) =>
    (['round-up', 'donation'] as const).map((debit) => ({
      kind: 'debit_returned' as const,
      debit,
      amountCents: cents(342),
      remedy,
    })),
  ),
  debit_reversed: (['change the account', 'nothing'] as const).flatMap((remedy) =>
    (['round-up', 'donation'] as const).map((debit) => ({
      kind: 'debit_reversed' as const,
      debit,
      amountCents: cents(342),
      remedy,
    })),
  ),
  donation_refused: [{ kind: 'donation_refused', amountCents: cents(25_00) }],
  debit_refunded: (['round-up', 'donation'] as const).map((debit) => ({
    kind: 'debit_refunded',
    debit,
    amountCents: cents(342),
    clubName: 'The Rovers',
  })),
  mandate_cancelled: [{ kind: 'mandate_cancelled' }],
  account_missing: [
    { kind: 'account_missing', isDebited: true, isTracked: true },
    { kind: 'account_missing', isDebited: false, isTracked: true },
  ],
  paused_after_two_returns: [{ kind: 'paused_after_two_returns', amountCents: cents(342) }],
  donation_received: [{ kind: 'donation_received', amountCents: cents(25_00), clubName: 'The Rovers' }],
  savings_deposited: [{ kind: 'savings_deposited', amountCents: cents(1204_00), month: '2026-11' }],
  round_ups_resumed: [{ kind: 'round_ups_resumed', on: '2026-12-04' }],
  paused_by_you: [
    { kind: 'paused_by_you', until: null, ...underWay },
    { kind: 'paused_by_you', until: '2026-12-04', ...underWay },
  ],
  debits_stopped: [{ kind: 'debits_stopped', ...underWay }],
  bank_data_deleted: [
    { kind: 'bank_data_deleted', accounts: 3, roundUps: 120, droppedCents: cents(65) },
    { kind: 'bank_data_deleted', accounts: 1, roundUps: 0, droppedCents: noCents },
  ],
  data_downloaded: [{ kind: 'data_downloaded', day: '2026-11-25' }],
  data_offered: [{ kind: 'data_offered' }],
  account_closed: [{ kind: 'account_closed', ...underWay }],
  savings_account_changed: [null, '2026-11-27'].map((receivesFrom) => ({
    kind: 'savings_account_changed',
    receivesFrom,
  })),
  savings_account_refused: [{ kind: 'savings_account_refused', amountCents: cents(648) }],
  funding_account_changed: [{ kind: 'funding_account_changed' }],
  direct_debit_request: [{ kind: 'direct_debit_request', agreedOn: '2026-11-25', textHash: 'a'.repeat(64) }],
  password_changed: [{ kind: 'password_changed' }],
  holder_decided: [true, false].map((isApproved) => ({ kind: 'holder_decided', isApproved })),
  debit_notice: [342, 0].map((amount) => ({
    kind: 'debit_notice',
    run: '2026-11-25',
    amountCents: cents(amount),
    reference: 'RU4F09A1C0D5E6F7A8',
    furtherReferences: amount === 0 ? [] : ['RU5A10B2D1E6F7A8B9'],
    isUnusual: amount === 0,
  })),
  debit_summary: [3, 0].map((debits) => ({
    kind: 'debit_summary',
    from: '2026-11-16',
    run: '2026-11-25',
    debits,
    debitedCents: cents(debits * 342),
    nextCents: cents(205),
  })),
};
