import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { logIn, signIn } from './as-supporter.ts';
import { mailsTo } from './mails.ts';
import { ops } from './ops.ts';
import { aSupporter, product, type Supporter } from './supporter.ts';

let supporter: Supporter;
test.beforeEach(async ({ page }) => {
  supporter = await aSupporter();
  await signIn(page, supporter);
  await page.goto('/linked-accounts');
  await page.getByRole('link', { name: 'Your data' }).click();
  await expect(page.getByRole('button', { name: 'Stop debits' })).toBeVisible();
});

async function take(page: Page, title: string, button: string): Promise<void> {
  await page.getByRole('button', { name: title }).click();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

const subjects = async () => (await mailsTo(supporter.email)).map(({ subject }) => subject);
const isMailed = (subject: string) => expect.poll(subjects, { timeout: 90_000 }).toContain(subject);

test("everything held is downloaded as one archive, and is the supporter's own", async ({ page }) => {
  const download = page.waitForEvent('download');
  await take(page, 'Download everything', 'Download');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^sparechange-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(await readFile(await file.path()));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['README.txt', 'everything.json', 'tables/accounts.csv']));
  const everything = JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array())) as { exportedFor: string };
  expect(everything.exportedFor).toBe(supporter.email);
  await isMailed('Your data was downloaded');
});

test('debits are stopped, consent is withdrawn and bank data are deleted, each explained before and confirmed', async ({
  page,
}) => {
  await take(page, 'Stop debits', 'Stop');
  await expect(page.getByText('Your debits have stopped.')).toBeVisible();
  await expect(page.getByText('No authority')).toBeVisible();
  await take(page, 'Withdraw consent', 'Withdraw');
  await expect(page.getByText('Not connected')).toBeVisible();
  await take(page, 'Delete bank data', 'Delete');
  await expect(page.getByText('None kept')).toBeVisible();
  await page.goto('/linked-accounts');
  await expect(page.getByText('No bank accounts are linked.')).toBeVisible();
  for (const subject of [
    'Your debits have stopped',
    'You have withdrawn your consent',
    'The data from your bank is deleted',
  ])
    await isMailed(subject);
});

test('an account is closed with the password, and gets nowhere afterwards', async ({ page }) => {
  await page.getByRole('button', { name: 'Close account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Close account' }).click();
  await expect(dialog.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(supporter.password);
  await dialog.getByRole('button', { name: 'Close account' }).click();
  await expect(page.getByText('Your account is closed.')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(`${product()}/`);
  await logIn(page, supporter);
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  const old = await fetch(`${product()}/api/client/round-up/user/leaving`, {
    method: 'POST',
    headers: {
      ...(await page.evaluate(async () => {
        const settings = (await (await fetch('/tenants/default.json')).json()) as { apikey: string; tenant: string };
        return { apikey: settings.apikey, tenant: settings.tenant };
      })),
      authorization: `Bearer ${supporter.idToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ cdrid: supporter.cdrid }),
  });
  expect(old.status).toBe(401);
  await isMailed('Your account is closed');
  expect(await ops('audit')).toMatchObject({ violations: [] });
});

test('a visitor is asked to sign in, and comes back', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: product() });
  const page = await context.newPage();
  await page.goto('/terms');
  await page.getByText('Your data').click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${product()}/`);
  await context.close();
});
