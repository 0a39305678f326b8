import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { confirmsByPasskey, heading, sectionOf, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { demo } from './product.ts';

test.use({
  product: 'bank files',
  settings: { PAYMENTS: 'direct-entry', DIRECT_ENTRY_LODGING: 'by-operator' },
});

async function openBankFiles(page: Page): Promise<void> {
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Bank files', exact: true }).click();
  await expect(heading(page, 'Bank files')).toBeVisible();
}

async function expectAccessibleOnDesktop(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(desktop);
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Presses a dialog's button, expects its act to be done, and closes it; returns its text. */
async function carryOut(page: Page, title: string, action: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  await expectAccessibleOnDesktop(page);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  const close = dialog.getByRole('button', { name: 'Close', exact: true });
  await expect(close).toBeVisible();
  const said = (await dialog.textContent()) ?? '';
  await close.click();
  return said;
}

/** Writes the waiting orders and returns the file's name. */
async function write(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Write files' }).click();
  const said = await carryOut(page, 'Write files', 'Write');
  return /debits-[\d-]+\.aba/.exec(said)?.[0] ?? said;
}

async function choose(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog', { name }).getByRole('button', { name: act, exact: true }).click();
}

/** Returns a bank's file of returns: the first order of a written file, and one that is nobody's. */
function returnsOf(written: string): string {
  const lines = written.split('\r\n');
  const [header = '', detail = '', total = ''] = [lines[0], lines[1], lines.at(-1)];
  const returned = `2${detail.slice(1, 17)}6${detail.slice(18, 112)}${header.slice(74, 76)}${header.slice(56, 62)}`;
  const unknown = `${returned.slice(0, 62)}${'NOBODYS'.padEnd(18)}${returned.slice(80)}`;
  return [header, returned, unknown, total].join('\r\n');
}

test('finance writes, withdraws, downloads and lodges files, and takes in the returns', async ({ page, browser }) => {
  await ops('sandbox', 'purchase', '--supporter', demo.email, '--amount', '4.35');
  await ops('sync', '--supporter', demo.email);
  await ops('debit-run', '--force');
  await signInAs(page, 'finance');
  await confirmsByPasskey(page);
  const decisions = sectionOf(page, 'Needs a decision');
  await expect(decisions).toContainText('1 order is in no file yet.');
  await openBankFiles(page);
  const waiting = sectionOf(page, 'Waiting for the next file');
  await expect(waiting).toContainText('Debits: 1');
  await expect(page.getByText('No file has been written yet.')).toBeVisible();
  await expectAccessibleOnDesktop(page);

  const first = await write(page);
  await expect(waiting).toContainText('Nothing waits.');
  await expect(rowOf(page, first)).toContainText('To be lodged');
  await expectAccessibleOnDesktop(page);
  await choose(page, first, 'Withdraw');
  expect(await carryOut(page, 'Withdraw the file?', 'Withdraw')).toContain('its orders wait for the next file');
  await expect(rowOf(page, first)).toContainText('Withdrawn');
  await expect(waiting).toContainText('Debits: 1');

  const second = await write(page);
  await page.getByRole('button', { name: second }).click();
  const file = page.getByRole('dialog', { name: second });
  await expectAccessibleOnDesktop(page);
  const download = page.waitForEvent('download');
  await file.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe(second);
  const written = await readFile(await (await download).path(), 'latin1');
  expect(written).toMatch(/^0 /);
  await expect(file).toContainText('It holds account numbers');
  await file.getByRole('button', { name: 'Close' }).click();

  // Somebody else has the page open from before.
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await signInAs(other, 'owner');
  await confirmsByPasskey(other);
  await openBankFiles(other);
  await choose(other, second, 'Withdraw');
  await choose(page, second, 'Mark as lodged');
  expect(await carryOut(page, 'Mark as lodged?', 'Mark as lodged')).toContain(`${second} is lodged.`);
  await expect(rowOf(page, second)).toContainText('clears on');
  const withdrawing = other.getByRole('dialog', { name: 'Withdraw the file?' });
  await withdrawing.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(withdrawing).toContainText('is marked as lodged: its orders may have been carried out');
  await withdrawing.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(other, second)).toContainText('Lodged');

  await choose(page, second, 'Mark as not lodged');
  await page.getByLabel('Reason').fill('Not uploaded yet');
  expect(await carryOut(page, 'Mark as not lodged?', 'Mark as not lodged')).toContain(
    `${second} is to be lodged again`,
  );
  await expect(rowOf(page, second)).toContainText('To be lodged');
  await choose(page, second, 'Mark as lodged');
  await carryOut(page, 'Mark as lodged?', 'Mark as lodged');

  await takeInReturns(page, returnsOf(written));
  await other.getByRole('link', { name: 'Audit log' }).click();
  for (const act of [
    'Marked a bank file as lodged',
    'Marked a bank file as not lodged',
    'Saved a bank file',
    'Withdrew a bank file',
  ])
    await expect(other.getByRole('row').filter({ hasText: act }).first()).toContainText('Pat');
  await other.context().close();
});

async function takeInReturns(page: Page, returns: string): Promise<void> {
  const importing = page.getByRole('dialog', { name: 'Import returns' });
  const take = async (content: string) => {
    const chosen = { name: 'returns.txt', mimeType: 'text/plain', buffer: Buffer.from(content) };
    await importing.getByLabel('File').setInputFiles(chosen);
    await importing.getByRole('button', { name: 'Import', exact: true }).click();
  };
  const open = () => page.getByRole('button', { name: 'Import returns' }).click();
  await open();
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(importing).toContainText('Please choose a file');
  await take('<html>Your session has ended</html>');
  await expect(importing).toContainText('This is no file of returns');
  await expectAccessibleOnDesktop(page);
  await take(returns);
  await expect(importing).toContainText('1 payment returned.');
  await expect(importing).toContainText('Line 3: no order has the reference NOBODYS');
  await expectAccessibleOnDesktop(page);
  await importing.getByRole('button', { name: 'Close' }).click();
  await open();
  await take(returns);
  await expect(importing).toContainText('has already been imported');
  await importing.getByRole('button', { name: 'Close' }).click();

  await sectionOf(page, 'Returns').getByRole('button', { name: 'returns.txt' }).click();
  const kept = page.getByRole('dialog', { name: 'returns.txt' });
  await expect(kept).toContainText('NOBODYS');
  await expectAccessibleOnDesktop(page);
  await kept.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Returned' })).toHaveCount(1);
}

test("a file that the bank's software fetches is not to be uploaded or marked", async ({ page }) => {
  const id = 'debits-2026-11-25-1.aba';
  const file = { id, kind: 'debit', orders: 1, totalCents: 435, state: 'written', processOn: '2026-11-25' };
  const at = { writtenAt: '2026-11-24T20:00:00Z', lodgedAt: null, clearsOn: null, withdrawnAt: null };
  await page.route('**/console/api/bank-files/state', (route) =>
    route.fulfill({ json: { lodging: 'when_written', today: '2026-11-25', waiting: [], nextWriteAt: null } }),
  );
  await page.route(/\/console\/api\/bank-files(\?|$)/, (route) =>
    route.fulfill({ json: { rows: [{ ...file, ...at }], next: null } }),
  );
  await signInAs(page, 'finance');
  await openBankFiles(page);
  await page.getByRole('button', { name: id }).click();
  const dialog = page.getByRole('dialog', { name: id });
  await expect(dialog).toContainText('Do not upload it.');
  await expect(dialog.getByRole('button', { name: 'Withdraw', exact: true })).toBeVisible();
  for (const act of ['Download', 'Mark as lodged'])
    await expect(dialog.getByRole('button', { name: act })).toBeHidden();
  await expectAccessible(page);
});

test('a viewer sees figures, and nothing to press', async ({ page }) => {
  await signInAs(page, 'viewer');
  await openBankFiles(page);
  await expect(page.getByRole('heading', { name: 'Waiting for the next file' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write files' })).toBeHidden();
  await expect(page.getByRole('button', { name: /debits-/ })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Returns' })).toBeHidden();
  await expectAccessible(page);
});
