import type { Page } from '@playwright/test';
import { type NextDebit, retrieveNextDebit } from '@sparechange/contract';
import { answers, holds, keepsWaiting } from '../server-says.ts';
import { member, type State } from './state.ts';

const descriptions = [
  'RIVERSIDE COFFEE',
  'CORNER PANTRY SYDNEY',
  'METRO FUEL 1187',
  'THE PAPER LANTERN DUMPLING HOUSE',
];
const nextDebit: NextDebit = {
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
  changes: Partial<NextDebit> = {},
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

/** What the dashboard's line about the next debit opens. */
export const nextDebits = {
  open: opened(),
  skipped: opened({ isSkipped: true, date: '2026-11-27' }),
  'waited for the balance': opened({ waited: { date: '2026-11-23', because: 'below floor' } }),
  'nothing yet': opened({ amountCents: 0, purchases: [] }),
  loading: opened({}, (page) => keepsWaiting(page, retrieveNextDebit)),
};
