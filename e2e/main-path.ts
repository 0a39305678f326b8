import { expect, type Page } from '@playwright/test';
import type { Ops } from './product.ts';

/** Walks a new supporter from /clubs to a cleared debit. */
export async function walkMainPath(page: Page, ops: Ops, picture: string): Promise<void> {
  const supporter = {
    first: 'Nadia',
    last: 'Okafor',
    email: `nadia.${Date.now()}@example.com`,
    mobile: '0412345678',
    password: 'correct horse battery',
  };

  await page.goto('/clubs');
  await expect(page.getByRole('heading', { name: 'Choose an organisation to support' })).toBeVisible();
  await page.getByPlaceholder('Search for a club here...').fill('surf');
  await page.getByRole('list').getByRole('button').first().click();

  await page.getByLabel('First Name').fill(supporter.first);
  await page.getByLabel('Last Name').fill(supporter.last);
  await page.getByLabel('Email').fill(supporter.email);
  await page.getByLabel('Mobile Number').fill(supporter.mobile);
  await page.getByLabel('Password', { exact: true }).fill(supporter.password);
  await page.getByLabel('Confirm Password').fill(supporter.password);
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).check();
  await page.getByRole('button', { name: 'Register' }).click();

  await expect(page).toHaveURL(/\/launch-consent$/);
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('button', { name: 'Hooli' }).click();
  await page.getByLabel('Internet Banking CRN').fill('12345678');
  await page.getByRole('button', { name: 'Continue' }).click();
  const code = /\b(\d{6})\b/.exec((await page.getByRole('main').textContent()) ?? '')?.[1] ?? '';
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Authorise' }).click();

  await expect(page).toHaveURL(/\/roundup-accounts$/);
  await expect(page.getByRole('heading', { name: 'Setting Up' })).toBeVisible();
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Next' }).click();

  await expect(page.getByRole('heading', { name: 'Funding Account' })).toBeVisible();
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'CONTINUE' }).click();

  await expect(page.getByRole('heading', { name: 'Thankyou' })).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Round-Ups On')).toBeVisible();

  await ops(
    'sandbox',
    'purchase',
    '--supporter',
    supporter.email,
    '--amount',
    '4.35',
    '--description',
    'GROUND UP COFFEE',
  );
  await ops('sync', '--supporter', supporter.email);
  await page.reload();
  await expect(page.getByText(/Next debit \w{3} \d+ \w{3}: \$\d+\.\d{2}/)).toBeVisible();
  await page.screenshot({ path: picture, fullPage: true });

  await ops('advance', '--days', '7');
  const audit = await ops<{ violations: string[] }>('audit');
  expect(audit.violations).toEqual([]);

  await page.goto('/history');
  await expect(page.getByRole('heading', { name: 'Round-Up History' })).toBeVisible();
  const coffee = page.getByRole('row', { name: /GROUND UP COFFEE/ });
  await expect(coffee).toContainText('$4.35');
  await expect(coffee).toContainText('$0.65');
  await expect(page.getByText(/Total Donated To Date/)).toBeVisible();
  const shown = await ops<{ balances: { cash?: number } }>('supporter', 'show', supporter.email);
  expect(shown.balances.cash).toBeGreaterThan(0);
}
