import type { Page } from '@playwright/test';
import {
  debitsYTD,
  donateNow,
  getUser,
  retrieveLinkedSavings,
  retrieveSavingsSplit,
  retrieveTotalDebits,
  retrieveWeeklyOutlook,
  setPaused,
} from '@sparechange/contract';
import { roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { answers, holds, keepsWaiting, refuses } from '../mock-api.ts';
import { member, press, type State, type States, staysShown } from './state.ts';

const linked = { savingsAccount: { document: { accountName: 'M HALLORAN SAVER', accountNumber: 'XXXX7741' } } };
const months = ['Nov-26', 'Oct-26', 'Sep-26', 'Aug-26', 'Jul-26', 'Jun-26', 'May-26'];
const gifts = { documents: months.map((monthYear, month) => ({ monthYear, totalDebitAmount: 1842 - month * 97 })) };

/** The dashboard after preparing the server's answers. */
const dashboard = (prepare: (page: Page) => Promise<unknown> = async () => undefined): State =>
  member(async (page) => {
    await prepare(page);
    await page.goto('/dashboard');
  });

const donation = (amount: string | undefined, prepare: (page: Page) => Promise<unknown> = async () => undefined) =>
  member(async (page) => {
    await prepare(page);
    await page.goto('/dashboard');
    await press(page, 'Donate Now');
    if (amount === undefined) return;
    await page.getByLabel('Amount').fill(amount);
    await press(page, 'Submit');
  });

/** The dashboard, its cards and its modals. */
export const dashboards: States<'dashboard' | 'donation'> = {
  dashboard: {
    on: dashboard(),
    'everything on': dashboard(async (page) => {
      await holds(page, {
        roundupAmountCents: 200,
        weeklyMaximumLimit: 1000,
        savingsAccountEnabled: true,
        nextDebit: { date: '2026-11-25', amountCents: 342 },
      });
      await answers(page, retrieveLinkedSavings, linked);
      await answers(page, retrieveSavingsSplit, {
        clubCents: 12_847,
        savingsCents: 9310,
        nextDeposit: { date: '2026-12-01', amountCents: 921 },
      });
      await answers(page, debitsYTD, { debitYTD: 12_847 });
      await answers(page, retrieveTotalDebits, { debitHistory: gifts });
    }),
    paused: dashboard((page) => holds(page, { isUserPausedRoundUp: true, nextDebit: null })),
    'no savings account': dashboard((page) => holds(page, { savingsAccountEnabled: true })),
    'savings failed': dashboard(async (page) => {
      await holds(page, { savingsAccountEnabled: true });
      await refuses(page, retrieveLinkedSavings);
    }),
    'no bank connection': dashboard((page) => holds(page, { isConsent: false })),
    'setting up unfinished': dashboard((page) => holds(page, { onboardingComplete: false })),
    pausing: member(async (page) => {
      await page.goto('/dashboard');
      await page.getByRole('switch', { name: 'Round-Ups On' }).click();
    }),
    'pause failed': member(async (page) => {
      await refuses(page, setPaused);
      await page.goto('/dashboard');
      await page.getByRole('switch', { name: 'Round-Ups On' }).click();
      await press(page, 'Confirm');
    }),
    'resume failed': member(async (page) => {
      await holds(page, { isUserPausedRoundUp: true, nextDebit: null });
      await refuses(page, setPaused);
      await page.goto('/dashboard');
      await page.getByRole('switch', { name: 'Round-Ups Paused' }).click();
    }),
    'load failed': dashboard(async (page) => {
      await refuses(page, debitsYTD);
      await refuses(page, retrieveTotalDebits);
    }),
    'user failed': dashboard((page) => refuses(page, getUser)),
  },
  donation: {
    form: donation(undefined),
    'no amount': donation(''),
    'too much': donation('250.01'),
    thanks: donation('25', async (page) => {
      await staysShown(page);
      await answers(page, donateNow, {});
    }),
    failed: donation('25', (page) => refuses(page, donateNow)),
  },
};

const weeks = roundUpSteps.flatMap((stepCents) =>
  weeklyLimits.map((limitCents) => ({
    stepCents,
    limitCents,
    cents: Math.min(stepCents * 4 + 130, limitCents || 9_990),
  })),
);
const outlook = (usedCents: number, limit: 0 | 1000): State =>
  member(async (page) => {
    await holds(page, { roundupAmountCents: 200, weeklyMaximumLimit: limit });
    const weeklyOutlook = { usedCents, startsAgainOn: '2026-11-30', lookingBack: { days: 90, weeks } };
    await answers(page, retrieveWeeklyOutlook, { weeklyOutlook });
    await page.goto('/dashboard');
    await page.getByText('Based on your last 90 days').last().waitFor();
  });

/** Uses of a weekly limit and outlooks of other settings. */
export const weeklyOutlooks: Record<string, State> = {
  'before a limit': outlook(0, 0),
  'limit in use': outlook(620, 1000),
  'limit reached': outlook(1000, 1000),
};

/** Round-ups that are switched on again after debits were stopped. */
export const noAccountToDebit = member(async (page) => {
  await holds(page, { nextDebit: null, waitsForAccountCents: 342 });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Choose one' }).waitFor();
});

/** The bank no longer shows the tracked and debited account. */
export const accountMissing = member(async (page) => {
  await holds(page, {
    nextDebit: null,
    waitsForAccountCents: 342,
    whyNoAccount: 'account_missing',
    missingAccounts: [{ name: 'Everyday', accountNumber: 'XXXX7741', isDebited: true, isTracked: true }],
  });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Look at your accounts' }).waitFor();
});

/** The bank says that the direct debit was cancelled there. */
export const mandateCancelled = member(async (page) => {
  await holds(page, { nextDebit: null, waitsForAccountCents: 342, whyNoAccount: 'mandate_cancelled' });
  await page.goto('/dashboard');
  await page.getByText('Your direct debit was cancelled').waitFor();
});

/** An operator keeps the supporter from being debited. */
export const onHold = member(async (page) => {
  await holds(page, { nextDebit: null, isOnHold: true });
  await page.goto('/dashboard');
  await page.getByText('Your debits are on hold').waitFor();
});

/** The dashboard while nothing has arrived. */
export const dashboardLoading = member(async (page) => {
  for (const operation of [getUser, debitsYTD, retrieveTotalDebits]) await keepsWaiting(page, operation);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});
