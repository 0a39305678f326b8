import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { printed } from './printed.ts';

const day = '2026-01-15';

test('finance imports a statement, sees the day side by side and matches a line by hand', async ({ page }) => {
  await signInAs(page, 'finance');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Reconciliation' }).click();
  await expect(heading(page, 'Reconciliation')).toBeVisible();
  await page.getByLabel('Day', { exact: true }).fill(day);
  await expect(page.getByText('No line of Thu 15 Jan 2026 was imported.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Import a statement' }).click();
  const importing = page.getByRole('dialog', { name: 'Import a bank statement' });
  const file = (content: string) => ({ name: 'january.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await importing.getByLabel('File').setInputFiles(file('what,is,this\n1,2,3\n'));
  await expect(importing.getByLabel('What is is?')).toBeVisible();
  await importing.getByRole('button', { name: 'Show what’s in it' }).click();
  await expect(importing.getByText('Please choose the column of the day.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await importing.getByRole('button', { name: 'Choose another file' }).click();
  const time = Date.now().toString(36);
  const fee = `BANK FEE ${time}`;
  await importing
    .getByLabel('File')
    .setInputFiles(file(`date,amount,description\n${day},-12.50,${fee}\n${day},1250.00,DEPOSIT ${time}\n`));
  await expect(importing.getByRole('row').filter({ hasText: fee })).toContainText('-$12.50');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await importing.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(importing.getByText(/2 lines read, 2 of them new/)).toBeVisible();
  await importing.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Unmatched: 2 lines')).toBeVisible();
  await expect(page.getByText('15 Jan differs by $1,262.50: 2 lines')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: fee }).first().click();
  const matching = page.getByRole('dialog', { name: 'Match a line by hand' });
  await matching.getByRole('button', { name: 'Match' }).click();
  await expect(matching.getByText('Please say why')).toBeVisible();
  await matching.getByLabel('Reason').fill('the monthly fee');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await matching.getByRole('button', { name: 'Match' }).click();
  await expect(page.getByText('Unmatched: 1 line', { exact: true })).toBeVisible();
  await page.getByText('Matched lines', { exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Matched lines' }).getByRole('row').filter({ hasText: fee }),
  ).toContainText('By hand: Fees');

  await page.getByRole('button', { name: 'Reconcile again' }).click();
  await page.getByRole('button', { name: 'Reconcile', exact: true }).click();
  await expect(page.getByText(/payments? compared and equal, 0 different\./)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByText('Every account', { exact: true }).click();
  const accounts = page.getByRole('region', { name: 'Accounts of the ledger' });
  await expect(accounts.getByRole('row').filter({ hasText: 'Owed by savers' })).toContainText('Asset');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  const download = page.waitForEvent('download');
  await page.getByRole('group').filter({ has: accounts }).getByRole('button', { name: 'Export as CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toMatch(/"Account","Side","Payments until","Balance"\r?\n"Trust account","Asset",/);
  expect(csv).toContain('"Owed to clubs","Liability",');

  const paper = await printed(page);
  expect(paper.pages).toBe(1);
  for (const words of ['Import a statement', 'Correct the ledger']) expect(paper.text).not.toContain(words);

  await page.getByRole('button', { name: 'Correct the ledger' }).click();
  const correcting = page.getByRole('dialog', { name: 'Correct the ledger' });
  await correcting.getByLabel('Debit').selectOption('Fees');
  await expect(correcting.getByLabel('Credit').getByRole('option', { name: 'Fees' })).toHaveCount(0);
  await correcting.getByLabel('Amount in dollars').fill('2.50');
  await correcting.getByLabel('Reason').fill('booked twice');
  await correcting.getByRole('button', { name: 'Correct', exact: true }).click();
  await expect(correcting.getByText('Please choose an account')).toBeVisible();
  await expectAccessible(page);
});

test('a viewer sees figures and no line', async ({ page }) => {
  await signInAs(page, 'viewer');
  await page.goto('/console/reconciliation');
  await expect(page.getByRole('heading', { name: 'Trust balance' })).toBeVisible();
  await expect(page.getByText('Every account', { exact: true })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Import a statement' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Lines of the day' })).toBeHidden();
  await page.setViewportSize(desktop);
  await page.goto('/console/bank-files');
  await expect(page.getByText('Payments do not go by bank files here')).toBeVisible();
  await expectAccessible(page);
});
