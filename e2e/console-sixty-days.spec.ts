import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { desktop } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { demo } from './product.ts';

/** Pages that need not list anything after sixty ordinary days. */
const mayBeEmpty = ['/today', '/developers', '/your-club', '/poster', '/contact', '/sign-in'];

/** Shown only by a product that lodges payments as bank files, unlike this one. */
const ofBankFiles = '/bank-files';

const pathsOfPages = async () =>
  [...(await readFile('apps/console/src/pages.ts', 'utf8')).matchAll(/path: '([^']+)'/g)]
    .map(([, path]) => path)
    .filter((path) => path !== ofBankFiles);

/** Opens every page of somebody's navigation; returns the paths. */
async function openEveryPage(page: Page): Promise<string[]> {
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() > 399) refused.push(`${answer.status()} ${answer.url()}`);
  });
  const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
  const paths: string[] = [];
  for (const link of links) {
    const path = new URL((await link.getAttribute('href')) ?? '', page.url()).pathname.replace('/console', '');
    paths.push(path);
    await link.click();
    await expect(heading(page, (await link.textContent()) ?? '')).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    if (!mayBeEmpty.includes(path)) await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  expect(refused).toEqual([]);
  return paths;
}

/** Expects a screen of a laptop to show sixteen payments, and the table to sort by four columns. */
async function expectCompactPayments(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/console/payments');
  const rows = page.getByRole('row');
  await expect(rows.nth(17)).toBeVisible();
  const last = await rows.nth(16).boundingBox(); // after the titles
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(800);
  await expect(page.locator('th[aria-sort]')).toHaveCount(4);
  await page.getByRole('button', { name: 'Amount' }).click();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'descending');
}

test('after sixty days every page shows them, to an owner and to a treasurer', async ({ page, browser }) => {
  await ops('advance', '--days', '60');
  const { supportingClubId } = await ops<{ supportingClubId: string }>('supporter', 'show', demo.email);
  await page.setViewportSize(desktop);
  await signInAs(page, 'owner');
  const treasurer = await (await browser.newContext({ viewport: desktop })).newPage();
  await signInAs(treasurer, 'treasurer', [supportingClubId]);
  const opened = [...(await openEveryPage(page)), ...(await openEveryPage(treasurer))];
  expect(new Set(opened)).toEqual(new Set(await pathsOfPages()));
  await expectCompactPayments(page);
  await treasurer.context().close();
});
