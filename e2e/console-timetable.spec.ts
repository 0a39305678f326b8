import { expect } from '@playwright/test';
import { addDays, longDay, sydneyDay } from '@sparechange/domain';
import { nextBankingDay, nextDebitDay } from '@sparechange/domain/banking-calendar';
import { momentAfter } from '@sparechange/server/testing/timetable.ts';
import { desktop, expectAccessible } from './accessible.ts';
import { confirmsByPasskey, sectionOf, signInAs } from './console-sign-in.ts';
import { injectFault } from './faults.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { inDatabase } from './product.ts';
import { aSupporter } from './supporter.ts';

test('a day on which banks are closed moves the next debits, until it is opened again', async ({ page }) => {
  const { now } = await ops<{ now: string }>('status');
  const today = nextDebitDay(sydneyDay(new Date(now)));
  await ops('advance', '--to', momentAfter('debit-run', today));
  const day = nextDebitDay(today);
  await signInAs(page, 'finance');
  await confirmsByPasskey(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Runs' }).click();
  const closed = sectionOf(page, 'Extra closed days');
  await expect(closed).toContainText('None. Weekends and bank holidays');

  await closed.getByRole('button', { name: 'Close a day' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close a day' });
  await dialog.getByRole('button', { name: 'Close the day' }).click();
  await expect(dialog.getByText('Please choose a day')).toBeVisible();
  await expect(dialog.getByText('Please say why')).toBeVisible();
  await dialog.getByLabel('Day').fill(day);
  await dialog.getByLabel('Reason').fill('a day of mourning');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Close the day' }).click();
  await expect(dialog).toContainText(`The day is closed. The next debits are on ${longDay(nextBankingDay(day))}.`);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(closed.getByRole('row', { name: longDay(day) })).toContainText('a day of mourning');
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await closed.getByRole('button', { name: longDay(day) }).click();
  const opening = page.getByRole('dialog', { name: `Open ${longDay(day)} again?` });
  await expect(opening).toContainText('It was closed because: a day of mourning.');
  await opening.getByRole('button', { name: 'Open the day' }).click();
  await expect(closed).toContainText('None. Weekends and bank holidays');
});

/** Leaves the previous day's audit undone, as if it had failed until midnight. */
const leaveAuditUndone = (): Promise<void> =>
  inDatabase(
    process.env.E2E_DATA_DIR ?? '',
    (db) => db`
      update timetable_runs set finished_at = null
      where task = 'audit' and due_at = (select max(due_at) from timetable_runs where task = 'audit')`,
  );

test('an owner has a task run again that failed on the day before', async ({ page }) => {
  const { now } = await ops<{ now: string }>('status');
  const day = addDays(sydneyDay(new Date(now)), 2);
  await ops('advance', '--to', `${day}T00:10`);
  await leaveAuditUndone();
  await signInAs(page, 'owner');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Jobs' }).click();
  const audit = sectionOf(page, 'Timetable').getByRole('row', { name: /^Audit of the books/ });
  await expect(audit).toContainText('Failed');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await audit.getByRole('button', { name: 'Run again: Audit of the books' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run "Audit of the books" again?' });
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(audit).toContainText('Due');
  await expect(audit).toContainText('Done', { timeout: 120_000 }); // it is taken within a minute
});

test('a supporter’s work is parked after the bank link fails for a day, then tried again and dropped', async ({
  page,
}) => {
  const { email } = await aSupporter();
  const { externalUserId } = await ops<{ externalUserId: string }>('supporter', 'show', email);
  const letAnswer = await injectFault({ path: `/basiq/users/${externalUserId}`, status: 503 });
  await ops('advance', '--days', '2');
  await signInAs(page, 'owner');
  await confirmsByPasskey(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Jobs' }).click();
  const parked = sectionOf(page, 'Parked work of supporters');
  const work = (name: string) => parked.getByRole('button', { name, exact: true });
  await expect(work('Fetch transactions')).toBeVisible();
  await expect(parked.getByRole('row').filter({ hasText: 'Look at the consent' })).toContainText('503');
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await work('Look at the consent').click();
  const consent = page.getByRole('dialog', { name: 'Look at the consent' });
  await expect(consent).toContainText('503');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await consent.getByRole('button', { name: 'Drop' }).click();
  const dropping = page.getByRole('dialog', { name: 'Drop "Look at the consent"?' });
  await dropping.getByLabel('Reason').fill('the bank account is closed');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dropping.getByRole('button', { name: 'Drop' }).click();
  await expect(work('Look at the consent')).toBeHidden();

  await letAnswer();
  await parked.getByRole('button', { name: 'Try all now' }).click();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByText('1 piece of work due now.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(parked).toContainText('Nothing is parked.', { timeout: 120_000 });
});
