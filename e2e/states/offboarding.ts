import type { Page } from '@playwright/test';
import * as contract from '@sparechange/contract';
import { answers, keepsWaiting, refuses } from '../mock-api.ts';
import { member, press, type State, visitor } from './state.ts';

const nothing = { count: 0, cents: 0 };
const giving = {
  isPaused: false,
  hasMandate: true,
  hasConsent: true,
  hasBankData: true,
  debits: { count: 1, cents: 342 },
  donations: { count: 1, cents: 2500 },
  donationsToCome: nothing,
  deposits: { count: 1, cents: 1204 },
  waitingCents: 65,
  setAsideCents: 171,
};
const gone = { ...giving, isPaused: true, hasMandate: false, hasConsent: false, hasBankData: false };

const yourData = (
  status: contract.SentOf<typeof contract.retrieveOffboardingStatus>['status'],
  then?: (page: Page) => Promise<unknown>,
) =>
  member(async (page) => {
    await answers(page, contract.retrieveOffboardingStatus, { status });
    await page.goto('/terms#your-data');
    await page.getByRole('heading', { name: 'Close account' }).waitFor();
    await then?.(page);
  });

/** Your data, above the terms. */
export const leaving: Record<string, State> = {
  'signed out': visitor(async (page) => {
    await page.goto('/terms#your-data');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  }),
  loading: member(async (page) => {
    await keepsWaiting(page, contract.retrieveOffboardingStatus);
    await page.goto('/terms#your-data');
    await page.getByRole('heading', { name: 'Your data' }).waitFor();
  }),
  'load failed': member(async (page) => {
    await refuses(page, contract.retrieveOffboardingStatus);
    await page.goto('/terms#your-data');
    await page.getByText('Failed to load data.').waitFor();
  }),
  giving: yourData(giving),
  'nothing left': yourData(gone),
  pausing: yourData(giving, (page) => press(page, 'Pause round-ups')),
  stopping: yourData(giving, (page) => press(page, 'Stop debits')),
  withdrawing: yourData(giving, (page) => press(page, 'Withdraw consent')),
  deleting: yourData(giving, (page) => press(page, 'Delete bank data')),
  downloading: yourData(giving, (page) => press(page, 'Download everything')),
  closing: yourData(giving, (page) => press(page, 'Close account')),
  stopped: yourData(giving, async (page) => {
    const status = { ...giving, isPaused: true, hasMandate: false };
    await answers(page, contract.stopDebits, { status });
    await press(page, 'Stop debits');
    await answers(page, contract.retrieveOffboardingStatus, { status });
    await press(page, 'Stop');
    await page.getByText('Your debits have stopped.').waitFor();
  }),
  'withdrawing failed': yourData(giving, async (page) => {
    await refuses(page, contract.withdrawConsent, 502, 'provider-unavailable');
    await press(page, 'Withdraw consent');
    await press(page, 'Withdraw');
    await page.getByRole('alert').waitFor();
  }),
};
