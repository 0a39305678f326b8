import { expect } from '@playwright/test';
import { addDays, sydneyDay } from '@sparechange/domain';
import { signIn } from './as-supporter.ts';
import { authoriseAtBank, heading } from './at-the-bank.ts';
import { test } from './on-its-own.ts';
import { ops } from './ops.ts';
import { aSupporter, product } from './supporter.ts';

for (const [path, title] of [
  ['extend-consent', 'Extend CDR Consent'],
  ['expired-consent', 'Expired CDR Consent'],
]) {
  test(`/${path} without a mailed link asks to sign in and leads on from there`, async ({ page }) => {
    const { email, password } = await aSupporter({ upTo: 'registered' });
    await page.goto(`/${path}/${encodeURIComponent(email)}`);
    await expect(heading(page, title ?? '')).toBeVisible();
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(/\/linked-accounts/);
  });
}

test('an address that nobody has is answered like any other', async ({ page }) => {
  const links: unknown[] = [];
  for (const email of [(await aSupporter({ upTo: 'registered' })).email, 'nobody.at.all@example.com']) {
    const answered = page.waitForResponse(/consent-extend$/);
    await page.goto(`${product()}/extend-consent/${encodeURIComponent(email)}`);
    links.push(await (await answered).json());
    await expect(page.getByRole('button', { name: 'Extend' })).toBeEnabled();
  }
  expect(links[0]).toEqual(links[1]);
});

test('a consent that ran out is renewed from its card, and what was bought meanwhile is rounded up once', async ({
  page,
}) => {
  const supporter = await aSupporter({ crn: '12345693' });
  const of = ['--supporter', supporter.email];
  const { now } = await ops<{ now: string }>('status');
  const meanwhile = addDays(sydneyDay(new Date(now)), 1);
  await ops('sandbox', 'consent', ...of, '--expire');
  await ops('consent-run');
  await expect(() => ops('advance', '--days', '2')).toPass();
  await signIn(page, supporter);
  await expect(page.getByText('Your bank connection has ended.')).toBeVisible();
  await page.goto('/linked-accounts');
  await expect(page.getByText('What you bought meanwhile is then rounded up, once.')).toBeVisible();
  await page.getByRole('button', { name: 'Renew Consent' }).click();
  await authoriseAtBank(page, '12345693');
  await page.waitForURL(/\/(roundup-accounts|dashboard)$/);
  await page.goto('/linked-accounts');
  await expect(page.getByText('Consent ends')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Renew Consent' })).toBeHidden();
  await expect(page.getByRole('checkbox', { name: /^Hooli Everyday/ }).first()).toBeChecked();
  await ops('sandbox', 'purchase', ...of, '--amount', '4.35', '--description', 'KIOSK MEANWHILE', '--date', meanwhile);
  for (const _time of [1, 2]) await ops('sync', ...of);
  await page.goto('/history');
  await expect(page.getByRole('row').filter({ hasText: 'KIOSK MEANWHILE' })).toContainText('$0.65');
});
