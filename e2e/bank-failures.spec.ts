import { expect, type Page, test } from '@playwright/test';
import { signIn } from './as-supporter.ts';
import { authoriseAtBank, heading } from './at-the-bank.ts';
import { aSupporter } from './supporter.ts';

/** Signs in as a registered supporter and connects to the bank with a customer number. */
async function connect(page: Page, crn: string): Promise<void> {
  await signIn(page, await aSupporter({ upTo: 'registered' }));
  await expect(page.getByRole('dialog', { name: 'No Bank Connection' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await authoriseAtBank(page, crn);
}

test('90000001: a connection that fails at the bank leads to Verification, and Retry back to the bank', async ({
  page,
}) => {
  await connect(page, '90000001');
  await expect(heading(page, 'Verification')).toBeVisible({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await authoriseAtBank(page, '12345678');
  await expect(page).toHaveURL(/\/roundup-accounts$/);
});

test('90000002: a slow bank is asked again every 5 seconds, 5 times, and then Verification appears', async ({
  page,
}) => {
  await page.clock.install(); // only the browser's clock moves on, so that the bank is still pending at the end
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/check-job')) checks += 1;
  });
  await connect(page, '90000002');
  await expect(heading(page, 'Checking!')).toBeVisible();
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1500'));
  const checksBefore = checks;
  for (let retry = 1; retry <= 5; retry += 1) {
    const answer = page.waitForResponse(/check-job$/);
    await page.clock.runFor(5_000);
    expect((await answer).status()).toBe(202);
    await expect(heading(page, retry < 5 ? 'Checking!' : 'Verification')).toBeVisible();
  }
  expect(checks - checksBefore).toBe(5);
  await expect(page.getByText('For security reasons we need you to verify your account by logging in.')).toBeVisible();
});

test('90000003: a bank that shows no accounts is reported as such, with a link back to the bank', async ({ page }) => {
  await connect(page, '90000003');
  await expect(page).toHaveURL(/\/roundup-accounts$/);
  await expect(page.getByText('Your bank shows us no accounts yet.')).toBeVisible();
  await page.goto('/funding-accounts');
  await expect(page.getByText('No accounts available. Please go back and select accounts.')).toBeVisible();
  await expect(page).toHaveURL(/\/roundup-accounts$/); // automatically, through /previous-page
  await page.getByRole('link', { name: 'Connect to your bank again' }).click();
  await expect(heading(page, 'Welcome')).toBeVisible();
});

test('90000004: a bank that does not answer leads to Verification, and Verify My Account asks to sign in', async ({
  page,
}) => {
  await connect(page, '90000004');
  await expect(heading(page, 'Verification')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Verify My Account' }).click();
  await expect(heading(page, 'Confirm Account')).toBeVisible();
});
