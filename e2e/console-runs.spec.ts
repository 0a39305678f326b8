import { type Browser, expect, type Page } from '@playwright/test';
import type { Role } from '@sparechange/contract/console';
import { addDays, cents, isoDate, longDay, shortDay, sydneyDay } from '@sparechange/domain';
import { nextBankingDay, nextDebitDay } from '@sparechange/domain/banking-calendar';
import { suspendRuns } from '@sparechange/server/features/collections/debits/suspended-runs.ts';
import { momentAfter } from '@sparechange/server/testing/timetable.ts';
import { expectAccessible } from './accessible.ts';
import { confirmsByPasskey, heading, sectionOf, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { printed } from './printed.ts';
import { demo, inDatabase } from './product.ts';

const because = 'the run of 5 debits and $1,202.59 is unusual: it asks for $1,202.59, where $100.00 is usual';
const desktop = { width: 1280, height: 860 };

/** Suspends a run as unusual, as the timetable does with a run of more supporters than a test has. */
const suspendAsUnusual = (date: string): Promise<void> =>
  inDatabase(process.env.E2E_DATA_DIR ?? '', (db) =>
    suspendRuns(db, { now: () => new Date() }, { runDate: isoDate(date) }, because, cents(1_202_59)),
  );

async function somebody(browser: Browser, role: Role): Promise<Page> {
  const context = await browser.newContext({ viewport: desktop });
  const page = await context.newPage();
  await signInAs(page, role);
  await expect(heading(page, 'Today')).toBeVisible();
  await confirmsByPasskey(page);
  return page;
}

async function agree(owner: Page, summary: RegExp): Promise<void> {
  await owner.getByRole('button', { name: summary }).click();
  const dialog = owner.getByRole('dialog', { name: summary });
  await dialog.getByRole('button', { name: 'Agree' }).click();
  await expect(dialog).toBeHidden();
}

test('an unusual run is looked at, confirmed by two people, and sent', async ({ browser }) => {
  const owner = await somebody(browser, 'owner');
  const finance = await somebody(browser, 'finance');
  await ops('approvals', 'people', '2'); // from here on also an invitation of an owner waits
  const { now } = await ops<{ now: string }>('status');
  const day = nextDebitDay(addDays(sydneyDay(new Date(now)), 1));
  await ops('advance', '--to', momentAfter('debit-run', day, -60));
  await ops('sandbox', 'purchase', '--supporter', demo.email, '--amount', '4.35');
  await ops('sync', '--supporter', demo.email);
  await finance.getByRole('link', { name: 'Runs' }).click();
  await expect(heading(finance, 'Runs')).toBeVisible();
  await suspendAsUnusual(day);
  await expect(finance.getByRole('heading', { name: 'An unusual run waits' })).toBeVisible();
  await expect(owner.getByText(because)).toBeVisible();
  await expect(ops('advance', '--to', momentAfter('debit-run', day))).rejects.toThrow('is unusual');

  // A plan is discarded when something changes, and other tests' supporters may be in it too.
  await expect(async () => {
    await finance.getByRole('button', { name: 'Work out the plan' }).click();
    await expect(finance.getByText(new RegExp(`${shortDay(day)}: \\d+ debits?, `))).toBeVisible({ timeout: 15_000 });
    const largest = finance.getByRole('table', { name: 'The largest debits' });
    await expect(largest).toContainText(demo.email, { timeout: 5_000 });
  }).toPass();
  await expectAccessible(finance);
  await finance.setViewportSize(desktop);

  await finance.getByRole('button', { name: 'Leave it stopped' }).click();
  const dialog = finance.getByRole('dialog').filter({ hasNotText: 'Please confirm it is you' });
  await dialog.getByLabel('Reason').fill('we ask the bank');
  await dialog.getByRole('button', { name: 'Leave it stopped' }).click();
  await expect(sectionOf(owner, 'Needs a decision').getByText('stopped: we ask the bank')).toBeVisible(); // and in an alarm
  await expect(sectionOf(owner, 'Alarms of the last 7 days').getByRole('link', { name: 'See Runs' })).toBeVisible();

  await finance.getByRole('button', { name: 'Confirm the run' }).click();
  await expect(dialog).toContainText('You confirm $1,202.59');
  await expectAccessible(finance);
  await finance.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Confirm the unusual run' }).click();
  await expect(dialog.getByRole('heading', { name: 'Not done yet' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(finance.getByRole('button', { name: /^Withdraw: Debit run/ })).toBeVisible();
  await agree(owner, /^Agree: Debit run/);
  await expect(finance.getByRole('heading', { name: 'An unusual run waits' })).toBeHidden();
  const row = finance.getByRole('row').filter({ has: finance.getByRole('link', { name: shortDay(day) }) });
  await expect(row).toContainText('Waiting for banks');
  await expect(finance.getByText('decided by Pat owner')).toBeVisible();

  await row.getByRole('link').click();
  await expect(heading(finance, `Run of ${longDay(day)}`)).toBeVisible();
  await expect(finance.getByRole('table', { name: 'Outcomes' })).toContainText('Waiting for banks');
  await expectAccessible(finance);
  await finance.setViewportSize(desktop);
  const third = nextBankingDay(nextBankingDay(nextBankingDay(day)));
  await ops('advance', '--to', `${third}T18:00`);
  await expect(finance.getByRole('table', { name: 'Outcomes' })).toContainText('Cleared');
  const { pages, text } = await printed(finance);
  expect(pages).toBe(1);
  expect(text).toContain(`Run of ${longDay(day)}`);
  for (const words of ['All runs', 'Print', 'Sign out']) expect(text).not.toContain(words);
  await finance.getByRole('link', { name: 'All runs' }).click();
  await expect(row).toContainText('Complete');

  await finance.getByRole('button', { name: 'Suspend a tenant' }).click();
  await dialog.getByLabel('Tenant').selectOption('default');
  await dialog.getByRole('button', { name: 'Suspend a tenant' }).click();
  await expect(dialog.getByText('Please say why')).toBeVisible();
  await dialog.getByLabel('Reason').fill('a complaint');
  await expectAccessible(finance);
  await finance.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Suspend a tenant' }).click();
  await expect(finance.getByText('a complaint, since')).toBeVisible();
  await finance.getByRole('button', { name: /^Resume / }).click();
  await dialog.getByRole('button', { name: 'Resume a tenant' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await agree(owner, /^Agree: Debits of Sparechange \(default\) are resumed/);
  await expect(finance.getByText('Debits are on for every tenant.')).toBeVisible();
  for (const page of [owner, finance]) await page.context().close();
});
