import type { Page } from '@playwright/test';
import { retrieveNextDebit, type SentOf, skipDebitByLink } from '@sparechange/contract';
import { answers, holds, keepsWaiting } from '../mock-api.ts';
import { member, press, type State, visitor } from './state.ts';

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
  hasMails: true,
};

const opened = (
  changes: Partial<typeof nextDebit> = {},
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): State =>
  member(async (page) => {
    await holds(page, { nextDebit: { date: '2026-11-25', amountCents: 342 } });
    await answers(page, retrieveNextDebit, { nextDebit: { ...nextDebit, ...changes } });
    await prepare(page);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /^Next debit/ }).click();
    await page.getByRole('dialog', { name: 'Next debit' }).waitFor();
  });

/** A pause that ends by itself: chosen, and under way. */
export const pausesUntil = {
  'pausing until a day': member(async (page) => {
    await page.goto('/dashboard');
    await page.getByRole('switch', { name: 'Round-Ups On' }).click();
    await page.getByLabel('Pause until').fill('2027-01-15');
  }),
  'paused until a day': member(async (page) => {
    await holds(page, { isUserPausedRoundUp: true, pausedUntil: '2026-12-04', nextDebit: null });
    await page.goto('/dashboard');
    await page.getByText('Paused until Fri 4 Dec').waitFor();
  }),
};

/** The pages that the links of mails open. */
export const mailedLinks = {
  'skip this debit': visitor(async (page) => {
    await page.goto(`/skip-debit/0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604.2026-11-25.${'a'.repeat(43)}`);
    await page.getByRole('heading', { name: 'Skip this debit?' }).waitFor();
  }),
  skipped: visitor(async (page) => {
    await answers(page, skipDebitByLink, { run: '2026-11-25', isSkipped: true, date: '2026-11-27' });
    await page.goto(`/skip-debit/0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604.2026-11-25.${'a'.repeat(43)}`);
    await press(page, 'Skip this debit');
    await page.getByRole('heading', { name: 'Skipped' }).waitFor();
  }),
  'link not complete': visitor(async (page) => {
    await page.goto('/skip-debit/half-a-link');
    await press(page, 'Skip this debit');
    await page.getByText('This link is not complete').waitFor();
  }),
  'stop mails': visitor(async (page) => {
    await page.goto('/debit-mails/token');
    await page.getByRole('heading', { name: 'Mails before each debit' }).waitFor();
  }),
};

/** The states behind the dashboard's line about the next debit. */
export const nextDebits = {
  open: opened(),
  skipped: opened({ isSkipped: true, date: '2026-11-27' }),
  'waited for the balance': opened({ waited: { date: '2026-11-23', because: 'below floor' } }),
  'nothing yet': opened({ amountCents: 0, purchases: [] }),
  loading: opened({}, (page) => keepsWaiting(page, retrieveNextDebit)),
};
