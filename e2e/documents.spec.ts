import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type Download, expect, type Page, test } from '@playwright/test';
import { addDays, isoDate, monthStart, sydneyDay } from '@sparechange/domain';
import { signIn } from './as-supporter.ts';
import { aProduct, demo, lastDaysFrom, playFrom, playOverMonthEnd, stopProduct } from './product.ts';

async function saved(page: Page, button: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return download;
}

/** The demo supporter's history, in a browser of their own. */
async function openHistory(browser: Browser, home: string): Promise<Page> {
  const page = await browser.newPage({ baseURL: home });
  await signIn(page, demo, home);
  await page.goto('/history');
  return page;
}

const bytesOf = async (download: Download) => readFile(await download.path());
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const sumOf = (csv: string, column: number) =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .reduce((cents, line) => cents + Math.round(Number(line.split(',')[column]) * 100), 0);

interface Statement {
  club: { id: string };
  remittances: { cents: number; reference: string; date: string }[];
  files: string[];
}

test('after the end of a month there are an unchanging receipt, and advices that add up to the deposits', async ({
  browser,
}) => {
  const { place, home, program, ops } = await aProduct();
  await playOverMonthEnd(place, ops);

  const page = await openHistory(browser, home);
  const card = page.getByRole('region', { name: 'Receipts' });
  const name = await card
    .getByRole('button', { name: /^Download / })
    .first()
    .getAttribute('aria-label');
  const [first, again] = [await saved(page, name ?? ''), await saved(page, name ?? '')];
  expect(first.suggestedFilename()).toMatch(/^receipt-[0-9A-Z]{5}-[0-9A-Z]{5}-\d{4}-\d{2}\.pdf$/);
  const bytes = await bytesOf(first);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(sha256(await bytesOf(again))).toBe(sha256(bytes));
  const { files } = await ops<{ files: string[] }>('receipts', demo.email, '--dir', join(place.dataDir, 'documents'));
  expect(sha256(await readFile(files.find((file) => file.endsWith(first.suggestedFilename())) ?? ''))).toBe(
    sha256(bytes),
  );

  const csv = await saved(page, 'Download history as CSV');
  expect((await bytesOf(csv)).toString('utf8')).toMatch(/^\uFEFFDate,Description,Amount,Roundup,State/);

  const user = await ops<{ supportingClubId: string }>('supporter', 'show', demo.email);
  const [receipt] = await ops<{ receipts: { firstDay: string }[] }>('receipts', demo.email).then(
    ({ receipts }) => receipts,
  );
  const month = receipt?.firstDay.slice(0, 7) ?? '';
  const folder = join(place.dataDir, 'advices');
  const statement = await ops<Statement>(
    'statement',
    '--club',
    user.supportingClubId,
    '--month',
    month,
    '--pack',
    folder,
  );
  expect(statement.remittances.length).toBeGreaterThan(0);
  for (const { date, reference, cents } of statement.remittances) {
    expect(await readdir(folder)).toContain(`payout-${date}-${reference}.pdf`);
    const advice = await readFile(join(folder, `payout-${date}-${reference}.csv`), 'utf8');
    expect(sumOf(advice, 7)).toBe(cents);
  }
  const mails = (await (
    await fetch(`http://localhost:${place.port + 1}/mail/messages?to=treasurer@aca.example`)
  ).json()) as {
    text: string;
  }[];
  for (const { reference } of statement.remittances)
    expect(mails.filter(({ text }) => text.includes(reference))).toHaveLength(1);

  expect(await ops('audit')).toMatchObject({ violations: [] });
  await page.close();
  expect(await stopProduct(program)).toBe(0);
});

test('in July there is an unchanging statement of the financial year, which adds up to its months', async ({
  browser,
}) => {
  const { place, home, program, ops } = await aProduct();
  const { now } = await ops<{ now: string }>('status');
  const day = sydneyDay(new Date(now));
  const july = (year: number) => isoDate(`${year}-07-03`);
  const thisYear = Number(day.slice(0, 4));
  const end = day < july(thisYear) ? july(thisYear) : july(thisYear + 1);
  // In each of its last two months a debit clears; the days between are skipped.
  const may = lastDaysFrom(addDays(monthStart(end), -45));
  if (day < addDays(may, 7)) await playFrom(place, ops, may, addDays(may, 8));
  await playFrom(place, ops, lastDaysFrom(addDays(monthStart(end), -1)), end);

  const page = await openHistory(browser, home);
  const year = Number(end.slice(0, 4));
  const name = `financial year ${year - 1}–${String(year).slice(2)}`;
  const row = page.getByRole('region', { name: 'Receipts' }).getByRole('listitem').filter({ hasText: name });
  const { receipts } = await ops<{ receipts: { kind: string; lastDay: string; totalCents: number }[] }>(
    'receipts',
    demo.email,
  );
  const months = receipts.filter(({ kind, lastDay }) => kind === 'month' && lastDay < end);
  expect(months.length).toBeGreaterThan(1);
  const total = months.reduce((sum, { totalCents }) => sum + totalCents, 0);
  await expect(row).toContainText(`$${(total / 100).toFixed(2)}`);
  const [first, again] = [await saved(page, `Download ${name}`), await saved(page, `Download ${name}`)];
  const bytes = await bytesOf(first);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(sha256(await bytesOf(again))).toBe(sha256(bytes));

  expect(await ops('audit')).toMatchObject({ violations: [] });
  await page.close();
  expect(await stopProduct(program)).toBe(0);
});
