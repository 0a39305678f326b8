import type { Page } from '@playwright/test';
import {
  debitsYTD,
  donateNow,
  findClub,
  getUser,
  retrieveGivenPicture,
  retrieveLinkedSavings,
  retrieveNextDebit,
  retrieveSavingsSplit,
  retrieveTotalDebits,
  retrieveWeeklyOutlook,
  type SentOf,
  setPaused,
  skipDebitByLink,
} from '@sparechange/contract';
import { roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { aborts, answers, hangs, holds, keepsWaiting, refuses } from '../mock-api.ts';
import { endsSoon, linkedSavings, refusedSavings } from './accounts.ts';
import { member, offersNewVersion, press, reads, type Step, shows, staysShown, switchOver, visitor } from './state.ts';

const months = ['Nov-26', 'Oct-26', 'Sep-26', 'Aug-26', 'Jul-26', 'Jun-26', 'May-26'];
const gifts = { documents: months.map((monthYear, month) => ({ monthYear, totalDebitAmount: 1842 - month * 97 })) };

/** The dashboard after preparing the server's answers. */
const dashboard = (...prepared: Step[]) => member(...prepared, '/dashboard');
const donation = (amount: string, ...prepared: Step[]) =>
  member(
    ...[...prepared, '/dashboard', press('Donate Now')],
    (page) => page.getByLabel('Amount').fill(amount),
    press('Submit'),
  );

const weeks = roundUpSteps.flatMap((stepCents) =>
  weeklyLimits.map((limitCents) => ({
    stepCents,
    limitCents,
    cents: Math.min(stepCents * 4 + 130, limitCents || 9_990),
  })),
);
const projection = (usedCents: number, weeklyMaximumLimit: 0 | 1000) =>
  member(
    holds({ roundupAmountCents: 200, weeklyMaximumLimit }),
    answers(retrieveWeeklyOutlook, {
      weeklyOutlook: { usedCents, startsAgainOn: '2026-11-30', lookingBack: { days: 84, wholeWeeks: 12, weeks } },
    }),
    '/dashboard',
    (page) => page.getByText('Based on your last 12 weeks').last().waitFor(),
  );

const descriptions = [
  'RIVERSIDE COFFEE',
  'CORNER PANTRY SYDNEY',
  'METRO FUEL 1187',
  'THE PAPER LANTERN DUMPLING HOUSE',
];
export const nextDebit: NonNullable<SentOf<typeof retrieveNextDebit>['nextDebit']> = {
  run: '2026-11-25',
  isSkipped: false,
  date: '2026-11-25',
  amountCents: 342,
  account: { name: 'Hooli Everyday', accountNumber: 'XXXX5678' },
  statementTexts: ['SPARECHANGE RU4F09A1C'],
  purchases: [435, 1723, 6210, 3880].map((cents, at) => ({
    date: `2026-11-2${4 - Math.min(at, 2)}`,
    description: descriptions[at] ?? '',
    amount: (cents / 100).toFixed(2),
    roundUpCents: (500 - (cents % 500)) % 500 || 1,
  })),
  waited: null,
  balanceFloorCents: 5000,
  debitNotices: 'each_debit',
};
/** Opens the details of a next debit with these changes. */
export const openNextDebit = (changes: Partial<typeof nextDebit> = {}, ...prepared: Step[]): Step[] => [
  holds({ nextDebit: { date: '2026-11-25', amountCents: 342 } }),
  answers(retrieveNextDebit, { nextDebit: { ...nextDebit, ...changes } }),
  ...[...prepared, '/dashboard', press(/^Next debit/), shows('dialog', 'Next debit')],
];

const skipLink = `/skip-debit/0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604.2026-11-25.${'a'.repeat(43)}`;
export const untilJanuary = (page: Page) => page.getByLabel('Pause until').fill('2027-01-15');

/** The dashboard, its cards and modals, and the targets of its emails' links. */
export const dashboards = {
  dashboard: {
    on: dashboard(),
    'everything on': dashboard(
      holds({
        roundupAmountCents: 200,
        weeklyMaximumLimit: 1000,
        savingsAccountEnabled: true,
        nextDebit: { date: '2026-11-25', amountCents: 342 },
      }),
      answers(retrieveLinkedSavings, linkedSavings),
      answers(retrieveSavingsSplit, {
        clubCents: 12_847,
        savingsCents: 9310,
        nextDeposit: { date: '2026-12-01', amountCents: 921 },
      }),
      answers(debitsYTD, { debitYTD: 12_847 }),
      answers(retrieveTotalDebits, { debitHistory: gifts }),
    ),
    paused: dashboard(holds({ isUserPausedRoundUp: true, nextDebit: null })),
    'paused with round-ups waiting': dashboard(
      holds({ isUserPausedRoundUp: true, nextDebit: null, waitsForResumeCents: 85 }),
    ),
    'no savings account': dashboard(holds({ savingsAccountEnabled: true })),
    'savings failed': dashboard(holds({ savingsAccountEnabled: true }), refuses(retrieveLinkedSavings)),
    'no bank connection': dashboard(holds({ isConsent: false })),
    'setting up unfinished': dashboard(holds({ onboardingComplete: false })),
    pausing: member('/dashboard', switchOver('Round-Ups On')),
    'pause failed': member(refuses(setPaused), '/dashboard', switchOver('Round-Ups On'), press('Confirm')),
    'resume failed': member(
      holds({ isUserPausedRoundUp: true, nextDebit: null }),
      refuses(setPaused),
      '/dashboard',
      switchOver('Round-Ups Paused'),
    ),
    'load failed': dashboard(refuses(debitsYTD), refuses(retrieveTotalDebits)),
    'user failed': dashboard(refuses(getUser)),
    'on its way': member(hangs('**/assets/dashboard-*.js'), '/dashboard', shows('heading', 'Loading...')),
    loading: member(
      ...[getUser, debitsYTD, retrieveTotalDebits].map(keepsWaiting),
      '/dashboard',
      shows('heading', 'Dashboard'),
    ),
    'bank stops sharing soon': member(
      holds({ consentHealth: { ...endsSoon, state: 'bank ends soon', endsOn: '2027-11-25' } }),
      '/dashboard',
      reads('Your bank stops sharing on Wed 9 Dec.'),
    ),
    'no account to debit': member(
      holds({ nextDebit: null, waitsForAccountCents: 342 }),
      '/dashboard',
      shows('link', 'Choose account to debit'),
    ),
    'debit returned': member(
      holds({ returnedDebit: { date: '2026-11-23', amountCents: 342, next: 'next_debit' } }),
      '/dashboard',
      reads('Your bank returned the $3.42 debit'),
    ),
    'two debits returned': member(
      holds({
        isUserPausedRoundUp: true,
        nextDebit: null,
        returnedDebit: { date: '2026-11-23', amountCents: 684, next: 'two_returns' },
      }),
      '/dashboard',
      reads('the second in a row'),
    ),
    'donation returned': member(
      holds({ returnedDonation: { date: '2026-11-23', amountCents: 2000 } }),
      '/dashboard',
      reads('Your bank returned the $20.00 donation'),
    ),
    'donation to undo': member(
      holds({ undoableDonations: [{ requestId: 'gift', amountCents: 2500, until: '2026-11-25T04:22:00Z' }] }),
      '/dashboard',
      shows('button', 'Undo'),
    ),
    'no account chosen': member(
      holds({ tracksNoAccount: true }),
      '/dashboard',
      reads('Nothing is rounded up until you have chosen'),
    ),
    together: member(
      answers(findClub, {
        document: {
          _id: 'a-club',
          name: 'Wattle Creek FC',
          parent_club: null,
          slug: 'wattle-creek-fc',
          logoURL: null,
          figures: { raisedDollars: 12_400, supporters: 214, monthDollars: 1906, goalDollars: 20_000 },
        },
      }),
      '/dashboard',
      reads('214 of us, $1,906 this month.'),
    ),
    'sharing what was given': member(
      answers(debitsYTD, { debitYTD: 12_847 }),
      answers(retrieveGivenPicture, { path: '/share/default/brand.png' }),
      '/dashboard',
      (page) => page.getByLabel("Add a picture of what I've given").check(),
      shows('img', 'I have given $128.47'),
    ),
    'new version': member(offersNewVersion, '/dashboard', reads('A new version is ready.')),
    'new year': member(answers(debitsYTD, { debitYTD: 0, allTimeCents: 31_290 }), '/dashboard', reads('To Date')),
    'mandate cancelled': member(
      holds({ nextDebit: null, waitsForAccountCents: 342, whyNoAccount: 'mandate_cancelled' }),
      '/dashboard',
      reads('Your direct debit was cancelled'),
    ),
    'on hold': member(holds({ nextDebit: null, isOnHold: true }), '/dashboard', reads('Your debits are on hold')),
    'account missing': member(
      holds({
        nextDebit: null,
        waitsForAccountCents: 342,
        whyNoAccount: 'account_missing',
        missingAccounts: [{ name: 'Everyday', accountNumber: 'XXXX7741', isDebited: true, isTracked: true }],
      }),
      '/dashboard',
      reads('Your bank no longer shows Everyday XXXX7741.'),
    ),
    'consent ends soon': member(
      holds({ consentHealth: endsSoon }),
      '/dashboard',
      reads('Your bank connection ends on Wed 9 Dec.'),
    ),
    'nothing saved yet': member(
      holds({ savingsAccountEnabled: true }),
      answers(retrieveSavingsSplit, { clubCents: 0, savingsCents: 0, nextDeposit: null }),
      '/dashboard',
      reads('Saved this year'),
    ),
    'savings account refused': member(
      holds({ savingsAccountEnabled: true }),
      answers(retrieveLinkedSavings, refusedSavings),
      answers(retrieveSavingsSplit, { clubCents: 12_847, savingsCents: 9310, nextDeposit: null, waitingCents: 921 }),
      '/dashboard',
      reads('Set aside for you'),
    ),
    'cannot be shown': member(aborts('**/assets/dashboard-*.js'), '/dashboard', reads('This page could not be shown')),
    'before a limit': projection(0, 0),
    'limit in use': projection(620, 1000),
    'limit reached': projection(1000, 1000),
  },
  donation: {
    form: member('/dashboard', press('Donate Now')),
    suggested: member('/dashboard', press('Donate Now'), press('$20')),
    'no amount': donation(''),
    'too much': donation('250.01'),
    thanks: donation('25', staysShown, answers(donateNow, {})),
    failed: donation('25', refuses(donateNow)),
    submitting: donation('25', keepsWaiting(donateNow)),
    'no bank': member(
      holds({ isConsent: false }),
      ...['/dashboard', press('Cancel'), press('Donate Now')],
      reads('No bank is connected yet.'),
    ),
  },
  'next debit': {
    open: member(...openNextDebit()),
    skipped: member(...openNextDebit({ isSkipped: true, date: '2026-11-27' })),
    'waited for the balance': member(...openNextDebit({ waited: { date: '2026-11-23', because: 'below floor' } })),
    'nothing yet': member(...openNextDebit({ amountCents: 0, purchases: [] })),
    'mails weekly': member(...openNextDebit({ debitNotices: 'weekly' }), reads('Once a week, before its first debit')),
    'mails when unusual': member(
      ...openNextDebit({ debitNotices: 'unusual' }),
      reads('before your first three debits'),
    ),
    'no mails': member(...openNextDebit({ debitNotices: 'never' }), reads('No emails before debits.')),
    loading: member(...openNextDebit({}, keepsWaiting(retrieveNextDebit))),
  },
  'mailed links': {
    'skip this debit': visitor(skipLink, shows('heading', 'Skip this debit?')),
    skipped: visitor(
      answers(skipDebitByLink, { run: '2026-11-25', isSkipped: true, date: '2026-11-27' }),
      skipLink,
      press('Skip this debit'),
      shows('heading', 'Skipped'),
    ),
    'link not complete': visitor(
      '/skip-debit/half-a-link',
      press('Skip this debit'),
      reads('This link is not complete'),
    ),
    'choose advices': visitor('/advice-mails/token', shows('heading', 'Emails about payouts to your club')),
    'choose mails': visitor('/debit-mails/token', shows('heading', 'Emails about your debits')),
  },
  'paused until': {
    'pausing until a day': member('/dashboard', switchOver('Round-Ups On'), untilJanuary),
    'paused until a day': member(
      holds({ isUserPausedRoundUp: true, pausedUntil: '2026-12-04', nextDebit: null }),
      '/dashboard',
      reads('Paused until Fri 4 Dec'),
    ),
  },
};
