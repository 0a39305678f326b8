import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { isoDate, monthStart, periodInWords } from '@sparechange/domain';
import { desktop, expectAccessible, phone } from './accessible.ts';
import { anAddress, heading, mailedLink, openLink, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { printed } from './printed.ts';
import { demo } from './product.ts';

interface Statement {
  remittances: { cents: number; reference: string; date: string }[];
}

let clubId: string;
let statement: Statement;

/** Lets the demo supporter's purchases be debited, cleared and paid to their club, in the month that is shown. */
test.beforeAll(async () => {
  const { supportingClubId } = await ops<{ supportingClubId: string }>('supporter', 'show', demo.email);
  clubId = supportingClubId;
  await expect(async () => {
    await ops('advance', '--days', '12');
    const { now } = await ops<{ now: string }>('status');
    statement = await ops<Statement>('statement', '--club', clubId, '--month', now.slice(0, 7));
    expect(statement.remittances).not.toEqual([]);
  }).toPass();
});

/** Signs a treasurer in by the link of their invitation, on a phone. */
async function asTreasurer(page: Page, ...clubs: string[]): Promise<void> {
  const email = anAddress('treasurer');
  await ops('console', 'invite', email, '--role', 'treasurer', '--club', clubs.join(','));
  await page.setViewportSize(phone);
  await openLink(page, await mailedLink(email));
  await expect(heading(page, 'Your club')).toBeVisible();
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
  await expect(heading(page, name)).toBeVisible();
}

/** Presses a button of a part of the page and returns the file that is saved. */
async function saved(page: Page, button: string, part: Page | Locator = page) {
  const download = page.waitForEvent('download');
  await part.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Adds up a column of a CSV whose other cells may be quoted. */
const sumOf = (csv: Buffer, column: number, counts: (line: string) => boolean = () => true) =>
  csv
    .toString('utf8')
    .trimEnd()
    .split('\r\n')
    .filter(counts)
    .reduce((cents, line) => cents + Math.round(Number(line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[column]) * 100), 0);

test('a treasurer reads the amounts raised, by finger, keyboard and as a table', async ({ page }) => {
  await asTreasurer(page, clubId);
  await expect(page.getByText(/^View only/)).toBeVisible();
  await expect(page.getByText('Fewer than 5')).toBeVisible();
  const slider = page.getByRole('slider', { name: 'Month' });
  await expect(slider).toHaveAttribute('aria-valuetext', /^[A-Z][a-z]+ \d{4}, so far: \$\d+\.\d\d$/);
  await slider.press('ArrowLeft');
  await expect(slider).not.toHaveAttribute('aria-valuetext', /so far/);
  await page.getByRole('button', { name: 'Weeks' }).click();
  await expect(page).toHaveURL(/by=weeks/);
  const weeks = page.getByRole('slider', { name: 'Week' });
  const last = Number(await weeks.getAttribute('max')); // from 0; a chart begins with the club's first figure
  expect(last).toBeGreaterThanOrEqual(5);
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('row')).toHaveCount(last + 2);
  await expectAccessible(page);
});

test('the files of a payout add up to the deposit, to the cent', async ({ page }) => {
  await asTreasurer(page, clubId);
  await goTo(page, 'Payouts');
  const [deposit] = statement.remittances.toReversed();
  const row = page.getByRole('row').filter({ hasText: `$${((deposit?.cents ?? 0) / 100).toFixed(2)}` });
  await expectAccessible(page);
  await row.first().getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText(deposit?.reference ?? 'none');
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');
  const pdf = await saved(page, 'PDF', dialog);
  expect(pdf.name).toBe(`payout-${deposit?.date}-${deposit?.reference}.pdf`);
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const noHead = (line: string) => /\d/.test(line);
  expect(sumOf((await saved(page, 'CSV', dialog)).bytes, 7, noHead)).toBe(deposit?.cents);
  await expect(dialog.getByLabel('Income account')).toBeHidden();
  await dialog.getByRole('button', { name: 'Xero', exact: true }).click();
  expect(sumOf((await saved(page, 'Save for Xero', dialog)).bytes, 1, noHead)).toBe(deposit?.cents);
  const amount = ((deposit?.cents ?? 0) / 100).toFixed(2);
  expect((await saved(page, 'OFX', dialog)).bytes.toString()).toContain(`<BALAMT>${amount}</BALAMT>`);
  expect((await saved(page, 'camt.053', dialog)).bytes.toString()).toContain(`<Ntry><Amt Ccy="AUD">${amount}</Amt>`);
  await dialog.getByRole('button', { name: 'Journal', exact: true }).click();
  const journal = await saved(page, 'Save the journal', dialog);
  expect(journal.name).toBe(`payout-${deposit?.date}-${deposit?.reference}.journal`);
  expect(journal.bytes.toString()).toContain(`\n  Assets:Bank  ${amount} AUD`);
  await dialog.getByRole('button', { name: 'MYOB', exact: true }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save for MYOB' }).click();
  await expect(page.getByText('Please enter the account where deposits arrive, such as 1-1110')).toBeVisible();
  await dialog.getByLabel('Income account').fill('4-1000');
  await dialog.getByLabel('Bank account').fill('1-1110');
  await expect(page.getByText('Please enter the account where deposits arrive')).toBeHidden();
  const myob = await saved(page, 'Save for MYOB', dialog);
  expect(sumOf(myob.bytes, 5, (line) => line.includes('"1-1110"'))).toBe(deposit?.cents);
  expect(sumOf(myob.bytes, 5, (line) => line.includes('"4-1000"'))).toBe(deposit?.cents);
});

test('a treasurer of several clubs chooses one, and sees no club of others', async ({ page }) => {
  const { clubs } = await ops<{ clubs: { id: string; name: string }[] }>('clubs', 'list');
  const [own, other, foreign] = clubs;
  await asTreasurer(page, own?.id ?? '', other?.id ?? '');
  const choice = page.getByLabel('Club', { exact: true });
  await choice.evaluate((select: HTMLSelectElement) => {
    for (const option of select.options) option.label = `${option.label} `.repeat(6);
  });
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(widths[0]).toBe(widths[1]);
  await choice.selectOption(other?.id ?? '');
  await expect(page).toHaveURL(new RegExp(`club=${other?.id}`));
  await goTo(page, 'Payouts');
  await expect(page).toHaveURL(new RegExp(`club=${other?.id}`));
  await expect(page.getByLabel('Club', { exact: true })).toHaveValue(other?.id ?? '');
  const answer = await page.evaluate(async (id) => {
    const headers = { 'x-sparechange-console': '1' };
    return (await fetch(`/console/api/club/payouts?clubId=${id}&year=2026`, { headers })).status;
  }, foreign?.id);
  expect(answer).toBe(403);
});

test('the link is copied, and poster and code are saved', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await asTreasurer(page, clubId);
  await goTo(page, 'Link and poster');
  await expect(page.getByRole('img', { name: 'QR code of the club’s page' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const address = await page
    .getByRole('main')
    .getByRole('link', { name: /localhost/ })
    .getAttribute('href');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expectAccessible(page);
  for (const [button, start] of [
    ['Poster, PDF', '%PDF-'],
    ['QR code, SVG', '<svg '],
    ['QR code, PNG', '\u0089PNG'],
  ] as const)
    expect((await saved(page, button)).bytes.toString('latin1')).toMatch(new RegExp(`^${start}`));
});

test('a phone shares the link by its own sheet, as it was shown before', async ({ page }) => {
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (data: ShareData) => void shared.push(data) });
  });
  await asTreasurer(page, clubId);
  await goTo(page, 'Link and poster');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Share the club’s page' });
  const picture = sheet.getByRole('img', { name: 'The picture of the club’s link' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    1200, 630,
  ]);
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Share', exact: true }).click();
  const [shared] = await page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
  await expect(sheet.getByText(shared?.title ?? 'none', { exact: true })).toBeVisible();
  await expect(sheet.getByText(shared?.text ?? 'none', { exact: true })).toBeVisible();
  expect(shared?.url).toMatch(/^https?:\/\/\S+localhost/);
});

test('a browser that cannot share offers mail, messages and a copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  await asTreasurer(page, clubId);
  await goTo(page, 'Link and poster');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Share the club’s page' });
  await expectAccessible(page);
  const mail = new URL((await sheet.getByRole('link', { name: 'Email' }).getAttribute('href')) ?? '');
  await sheet.getByRole('button', { name: 'Copy the link' }).click();
  await expect(sheet.getByText('Copied', { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(mail.searchParams.get('body')).toContain(copied);
});

test('the poster is seen before it is printed, and saved as PDF by one press', async ({ page }) => {
  await asTreasurer(page, clubId);
  await goTo(page, 'Link and poster');
  await expect(page.getByRole('button', { name: 'Save the poster as PDF' }).locator('img')).toBeVisible();
  const pdf = await saved(page, 'Save the poster as PDF');
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
});

test('a treasurer sets a goal, which the club’s page then shows', async ({ page }) => {
  const { clubs } = await ops<{ clubs: { id: string }[] }>('clubs', 'list');
  await page.setViewportSize(phone);
  await signInAs(page, 'treasurer', [clubs.at(-1)?.id ?? '']);
  await goTo(page, 'Your club');
  await page.getByRole('button', { name: 'Set a goal' }).click();
  await page.getByRole('textbox', { name: 'Goal' }).fill('12.50');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Please enter whole dollars')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Goal' }).fill('$5,000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('progressbar', { name: /of \$5,000/ })).toBeVisible();
  await expectAccessible(page);
});

test('the statement of a club prints on one page, with its month and nothing to press', async ({ page }) => {
  await signInAs(page, 'finance');
  await page.setViewportSize(desktop);
  const { now } = await ops<{ now: string }>('status');
  await page.goto(`/console/clubs/${clubId}/statement?month=${now.slice(0, 7)}`);
  await expect(page.getByRole('region', { name: 'Supporters' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  const { pages, text } = await printed(page);
  expect(pages).toBe(1);
  const month = periodInWords({ kind: 'month', firstDay: monthStart(isoDate(now.slice(0, 10))) });
  for (const words of [`Statement of ${month}`, 'Total paid']) expect(text).toContain(words);
  for (const words of ['All clubs', 'Print', 'Save as CSV', 'Payouts and', 'Sign out'])
    expect(text).not.toContain(words);
});

test('contact and mails are changed with a passkey, and another account is asked for', async ({ page }) => {
  const { clubs } = await ops<{ clubs: { id: string }[] }>('clubs', 'list');
  await page.setViewportSize(phone);
  await signInAs(page, 'treasurer', [clubs.at(-1)?.id ?? '']);
  await expect(page.getByText(/^View only/)).toBeHidden();
  const { contactEmail: former } = await ops<{ contactEmail: string }>('clubs', 'show', clubs.at(-1)?.id ?? '');
  await goTo(page, 'Contact and mails');
  await expectAccessible(page);
  await page.getByLabel('Monthly').click();
  await expect(page.getByLabel('Monthly')).toBeChecked();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.getByRole('button', { name: 'Change the contact' }).click();
  await expect(page.getByRole('dialog')).toContainText(`still confirmed by ${former}`);
  await expectAccessible(page);
  await page.getByLabel('Email').fill('new@club.example');
  await page.getByRole('button', { name: 'Change it' }).click();
  await expect(page.getByText('new@club.example', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Ask for a change' }).click();
  await page.getByLabel('Name of the account').fill('The Club');
  await page.getByLabel('BSB').fill('062-000');
  await page.getByLabel('Account number').fill('12345678');
  await page.getByRole('button', { name: 'Ask for the change' }).click();
  await expect(page.getByText(`Waiting for ${former} to confirm`)).toBeVisible();
  await expect(page.getByText('Waiting for somebody of the organisation')).toBeVisible();
  await page.getByRole('button', { name: 'Stop this change' }).click();
  await page.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.getByText('Waiting for somebody of the organisation')).toBeHidden();
});
