import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { sectionOf, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops, placeOfTests } from './ops.ts';
import { demo, playOverMonthEnd } from './product.ts';

test('support saves the receipt of a month that is over, for somebody who cannot sign in', async ({ page }) => {
  await playOverMonthEnd(placeOfTests(), ops);
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Supporters' }).click();
  await page.getByLabel('Search').fill(demo.email);
  await page.getByRole('row').nth(1).getByRole('link').click();
  const receipts = sectionOf(page, 'Receipts');
  const file = receipts.getByRole('button', { name: /^PDF of [A-Z][a-z]+ \d{4}$/ }).first();
  await expect(receipts.getByText('Not issued yet').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await file.click();
  const name = (await download).suggestedFilename();
  expect(name).toMatch(/^receipt-[0-9A-Z-]+\.pdf$/);
  await expect(receipts.getByText(name.slice('receipt-'.length, -'.pdf'.length))).toBeVisible();
  await expect(
    sectionOf(page, 'Timeline')
      .getByText(/^Receipt .* was issued/)
      .first(),
  ).toBeVisible();
  const saved = page.waitForEvent('download');
  await receipts.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('Receipts.csv');
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('"Period","Number","Given"');
  await expectAccessible(page);
});
