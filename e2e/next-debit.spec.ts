import { expect, type Page } from '@playwright/test';
import { addDays, isoDate, shortDay, sydneyDay } from '@sparechange/domain';
import { nextDebitDay } from '@sparechange/domain/banking-calendar';
import { momentAfter } from '@sparechange/server/testing/timetable.ts';
import { signIn } from './as-supporter.ts';
import { test } from './isolated-product.ts';
import { lastMail } from './mails.ts';
import { ops } from './ops.ts';
import { aSupporter, type Supporter } from './supporter.ts';

/** Retries, as the product's timetable is locked for a moment each minute. */
const until = (moment: string) => expect(() => ops('advance', '--to', moment)).toPass();

async function buys({ email }: Supporter, dollars: string): Promise<void> {
  await ops('sandbox', 'purchase', '--supporter', email, '--amount', dollars, '--description', 'KIOSK ONE');
  await ops('sync', '--supporter', email);
}

const line = (page: Page) => page.getByRole('button', { name: /^Next debit/ });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Next debit' });

async function openPanel(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await line(page).click();
  await expect(panel(page).getByText('On your statement')).toBeVisible();
}

test('a debit is paused, skipped on the screen and by email, waits for the balance, and is dropped in the end', async ({
  page,
}) => {
  const supporter = await aSupporter({ crn: '12345692' });
  await signIn(page, supporter);

  await test.step('a pause until a day ends automatically, and an email says so', async () => {
    const { now } = await ops<{ now: string }>('status');
    const day = addDays(sydneyDay(new Date(now)), 1);
    await page.getByRole('switch', { name: 'Round-Ups On' }).click();
    await page.getByLabel('Pause until').fill(day);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(`Paused until ${shortDay(day)}, when they resume.`)).toBeVisible();
    await until(momentAfter('end-pauses', day, 210)); // past the hour of a run, so that the next debit is on a later day
    await page.reload();
    await expect(page.getByRole('switch', { name: 'Round-Ups On' })).toBeVisible();
    expect((await lastMail(supporter.email, 'Your round-ups are on again')).text).toContain('Your pause has ended');
  });

  const { nextDebitDate } = await ops<{ nextDebitDate: string }>('status');
  const run = isoDate(nextDebitDate);
  const later = nextDebitDay(run);

  await test.step('a debit is skipped on the screen, and the skip undone', async () => {
    await buys(supporter, '4.35');
    await openPanel(page);
    await panel(page).getByRole('button', { name: 'Skip this debit' }).click();
    await expect(panel(page).getByText(`You are skipping ${shortDay(run)}.`)).toBeVisible();
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await expect(line(page)).toContainText(`Next debit ${shortDay(later)}`);
    await expect(line(page)).toContainText(`${shortDay(run)} is skipped`);
    await openPanel(page);
    await panel(page).getByRole('button', { name: 'Undo skip' }).click();
    await expect(panel(page).getByRole('button', { name: 'Skip this debit' })).toBeVisible();
    // Supporters who give less than five dollars a week are emailed weekly unless they choose otherwise.
    await expect(panel(page).getByRole('radio', { name: 'Weekly' })).toBeChecked();
    await panel(page).getByRole('radio', { name: 'Each debit' }).check();
    await expect(panel(page).getByText('The evening before each debit')).toBeVisible();
  });

  await test.step('the email of the evening before has a link that skips the debit after one more press', async () => {
    await until(momentAfter('debit-notice', addDays(run, -1)));
    const { text } = await lastMail(supporter.email, 'Your debit tomorrow');
    const link = /https?:\S+(\/skip-debit\/\S+)/.exec(text)?.[1] ?? '';
    await page.goto(link);
    await expect(page.getByText(`Your round-ups are debited on ${shortDay(run)}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Skip this debit' }).click();
    await expect(page.getByRole('heading', { name: 'Skipped' })).toBeVisible();
    await until(momentAfter('debit-run', run));
    await page.goto(link);
    await page.getByRole('button', { name: 'Skip this debit' }).click();
    await expect(page.getByText('This debit has begun, so it can no longer be changed.')).toBeVisible();
    await openPanel(page);
    await expect(panel(page).getByText(shortDay(later), { exact: true })).toBeVisible();
    await expect(panel(page).getByText('KIOSK ONE')).toBeVisible();
  });

  await test.step('with too little in the account it waits and says so; after the third run it is dropped', async () => {
    await ops('sandbox', 'balance', '--supporter', supporter.email, '--amount', '12.34');
    await until(momentAfter('debit-run', later));
    await openPanel(page);
    await expect(
      panel(page).getByText(
        `Nothing was taken on ${shortDay(later)}, because there was less in your account than you chose.`,
      ),
    ).toBeVisible();
    const third = nextDebitDay(nextDebitDay(later));
    await until(momentAfter('debit-run', third));
    await page.goto('/history');
    await expect(page.getByRole('row').filter({ hasText: 'KIOSK ONE' })).toContainText('Dropped');
    expect(await ops('audit')).toMatchObject({ violations: [] });
  });
});
