import { expect, test } from '@playwright/test';
import { heading } from './at-the-bank.ts';
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
