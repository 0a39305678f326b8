import { type Browser, expect, type Page } from '@playwright/test';
import type { Role } from '@sparechange/contract/console';
import { expectAccessible } from './accessible.ts';
import { signIn } from './as-supporter.ts';
import { confirmsByPasskey, heading, sectionOf, signInAs } from './console-sign-in.ts';
import { injectFault } from './faults.ts';
import { test } from './isolated-product.ts';
import { ops } from './ops.ts';
import { aSupporter, donate } from './supporter.ts';

interface Found {
  supporters: { payments: { kind: string; reference: string; state: string }[] }[];
}

/** Makes a supporter with a cleared donation of $120, and a debit returned with code 6 and re-presented. */
async function aPayer(page: Page) {
  const supporter = await aSupporter();
  const of = ['--supporter', supporter.email];
  await signIn(page, supporter);
  await page.getByRole('button', { name: 'Donate Now' }).click();
  await page.getByLabel('Amount').fill('120');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('dialog', { name: 'Thank You!' })).toBeVisible();
  await ops('advance', '--days', '7');
  await ops('sandbox', 'purchase', ...of, '--amount', '4.35');
  await ops('sync', ...of);
  await ops('sandbox', 'return-next', ...of, '--code', '6');
  await ops('advance', '--days', '14'); // to the run after the return, also over Christmas and New Year
  const { supporters } = await ops<Found>('payment', 'find', supporter.email);
  const payments = supporters[0]?.payments ?? [];
  const referenceOf = (kind: string, state: string) =>
    payments.find((payment) => payment.kind === kind && payment.state === state)?.reference ?? '';
  return {
    email: supporter.email,
    returned: referenceOf('debit', 'returned'),
    donation: referenceOf('donation', 'cleared'),
  };
}

/** Signs somebody in, in a browser of their own. */
async function somebody(browser: Browser, role: Role): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await signInAs(page, role);
  await confirmsByPasskey(page);
  return page;
}

/** Widens the page again, which the accessibility check leaves small. */
async function expectAllAccessible(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
}

/** Refunds some dollars on the page of a payment. */
async function refund(page: Page, dollars: number): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Amount').fill(String(dollars));
  await dialog.getByLabel('Reason').fill('Given twice by mistake');
  await dialog.getByRole('button', { name: `Refund $${dollars}.00` }).click();
}

/** Has the provider drop connections on payment requests without an answer, until the fault is lifted. */
const silenceProvider = () =>
  injectFault({ path: '/zepto/payment_requests', method: 'POST', timeoutBeforeEffect: true, holdMs: 100 });

/** Lets minutes of the product pass. */
async function passMinutes(minutes: number): Promise<void> {
  const { now } = await ops<{ now: string }>('status');
  const then = new Date(new Date(now).getTime() + minutes * 60_000);
  const sydney = then.toLocaleString('sv-SE', { timeZone: 'Australia/Sydney' });
  await ops('advance', '--to', sydney.slice(0, 16).replace(' ', 'T'));
}

/**
 * Carries out an act on the open payment, with a reason where asked for; repeats it while the payment is being
 * submitted.
 */
async function act(page: Page, name: string, action: string, why?: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (why) await dialog.getByLabel('Reason').fill(why);
  const confirm = dialog.getByRole('button', { name: action, exact: true });
  await expect(async () => {
    if (await dialog.isVisible()) await confirm.click({ timeout: 5_000 });
    await expect(dialog).toBeHidden({ timeout: 5_000 });
  }).toPass();
}

/** Chooses in several parts of a filter before the page is redrawn, as on a slow machine. */
const chooseAtOnce = (page: Page, choices: Record<string, string>) =>
  page.getByRole('search').evaluate((search, values) => {
    for (const select of search.querySelectorAll('select')) {
      const value = values[select.labels[0]?.textContent ?? ''];
      if (value === undefined) continue;
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, choices);

/** Writes off what the club of the open payment owes since the refunds, with a second person, who reads both in the audit log. */
async function writeOff(finance: Page, owner: Page): Promise<void> {
  await finance.getByRole('button', { name: 'Write off' }).click();
  const dialog = finance.getByRole('dialog', { name: /^Write off what / });
  const owed = await dialog.getByLabel('Amount in dollars').inputValue();
  expect(Number(owed)).toBeGreaterThan(50); // up to which one person is enough
  await dialog.getByRole('button', { name: 'Write off' }).click();
  await expect(dialog.getByText('Please say why')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The club has closed');
  await expect(dialog.getByText('Please say why')).toBeHidden();
  await expectAllAccessible(finance);
  await dialog.getByRole('button', { name: 'Write off' }).click();
  await expect(dialog).toContainText('another person has to agree');
  await expectAllAccessible(finance);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await finance.getByRole('main').locator('a[href*="/clubs/"]').click();
  await finance.getByRole('link', { name: 'Balance and corrections' }).click();
  const owes = sectionOf(finance, 'What it owes');
  await expect(owes).toContainText(`$${owed}`);

  await owner.getByRole('button', { name: new RegExp(`^Agree: Write-off of \\$${owed} that `) }).click();
  const agreeing = owner.getByRole('dialog', { name: /^Agree: Write-off/ });
  await expect(agreeing).toContainText('The club has closed');
  await expectAllAccessible(owner);
  await agreeing.getByRole('button', { name: 'Agree' }).click();
  await expect(agreeing).toBeHidden();
  await expect(owes).toContainText('Nothing owed.');
  await expect(owes.getByRole('button', { name: 'Write off' })).toBeHidden();

  await owner.getByRole('link', { name: 'Audit log' }).click();
  await owner.getByLabel('Search').fill('write');
  const entry = (act: string) => owner.getByRole('row').filter({ hasText: act }).first();
  await expect(entry('Wrote off what a club owes, or asked for it')).toContainText('Pat finance');
  await expect(entry('A second person agreed')).toContainText('Pat owner');
}

test('a returned debit is found, a donation refunded in parts and the debt of the club written off by two people', async ({
  page,
  browser,
}) => {
  const payer = await aPayer(page);
  const finance = await somebody(browser, 'finance');
  const owner = await somebody(browser, 'owner');
  await ops('approvals', 'people', '2'); // from here on their invitations would wait
  await finance.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(heading(finance, 'Payments')).toBeVisible();
  await expect(finance.getByRole('row').nth(2)).toBeVisible();
  await expectAllAccessible(finance);

  await finance.getByLabel('Search').fill(payer.returned.slice(0, 9));
  await expect(finance.getByRole('row')).toHaveCount(2);
  await expect(finance.getByRole('cell', { name: 'Returned' })).toBeVisible();
  const download = finance.waitForEvent('download');
  await finance.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('Payments.csv');
  await finance.getByRole('link', { name: payer.returned }).click();
  await expect(finance.getByRole('heading', { name: /^Debit of \$/, level: 1 })).toBeVisible();
  await expect(finance.getByText('Returned: Code 6, refer to customer')).toBeVisible();
  await expect(finance.getByText('The amount was asked for again by RU')).toBeVisible();
  await expect(finance.getByRole('cell', { name: 'Debit returned', exact: true })).toBeVisible();
  await expect(finance.getByRole('region', { name: 'Purchases behind it' })).toContainText('$4.35');
  const ledger = finance.waitForEvent('download');
  await finance.getByRole('button', { name: 'Export as CSV: Ledger' }).click();
  expect((await ledger).suggestedFilename()).toBe(`Ledger ${payer.returned}.csv`);
  await expect(finance.getByRole('button', { name: 'Refund' })).toBeHidden();
  await expectAllAccessible(finance);

  await finance.getByRole('link', { name: 'All payments' }).click();
  await finance.getByLabel('Search').fill(payer.email);
  await expect(finance).toHaveURL(/search=/);
  await chooseAtOnce(finance, { Kind: 'donation', State: 'cleared' });
  await expect(finance).toHaveURL(/search=.*&kind=donation&state=cleared$/);
  await expect(finance.getByRole('row')).toHaveCount(2);
  await finance.getByLabel('Amount').fill('119.99');
  await expect(finance.getByText('No payment of any day matches.')).toBeVisible();
  await finance.getByLabel('Amount').fill('a lot');
  await expect(finance.getByText('Please enter dollars such as 43.50')).toBeVisible();
  await finance.getByLabel('Amount').fill('120');
  await finance.getByRole('link', { name: payer.donation }).click();
  await expect(heading(finance, 'Donation of $120.00')).toBeVisible();
  await refund(finance, 30);
  await expect(finance.getByRole('region', { name: 'Related payments' })).toContainText('Refunded by');
  await expect(finance.getByText('$90.00')).toBeVisible();
  await refund(finance, 70);
  const waits = finance.getByRole('dialog', { name: 'A second person has to agree' });
  await expect(waits).toContainText('Nothing has been done yet.');
  await expectAllAccessible(finance);
  await waits.getByRole('button', { name: 'Close' }).click();
  const summary = `Refund of $70.00 of the donation ${payer.donation}`;
  const waiting = finance.getByText(`${summary}, asked for by Pat finance.`);
  await expect(waiting).toBeVisible();
  await expect(finance.getByText('$90.00')).toBeVisible();

  await owner.getByRole('button', { name: `Agree: ${summary}` }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
  await expect(owner.getByRole('dialog')).toBeHidden();
  await expect(finance.getByText('$20.00')).toBeVisible();
  await expect(waiting).toBeHidden();
  await expectAllAccessible(finance);
  await writeOff(finance, owner);
  for (const each of [finance, owner]) await each.context().close();
});

test('a donation without an answer is parked and sent again, and another marked as failed', async ({ browser }) => {
  const letAnswer = await silenceProvider();
  const supporter = await aSupporter();
  for (const amount of [11, 12]) await donate(supporter, amount);
  await passMinutes(11); // past the ten in which they are undone, and no debit run, which the provider would stop
  const finance = await somebody(browser, 'finance');
  const open = async (amount: string) => {
    await finance.goto(`/console/payments?search=${supporter.email}&amount=${amount}`);
    await expect(finance.getByRole('cell', { name: 'Being sent' })).toBeVisible();
    await finance.getByRole('cell').getByRole('link').first().click();
    await expect(heading(finance, `Donation of $${amount}.00`)).toBeVisible();
  };
  await open('12');
  await act(finance, 'Park', 'Park it', 'They gave twice');
  await passMinutes(11); // past the ten in which what was sent may still reach the provider
  await act(finance, 'Mark as failed', 'Mark $12.00 as failed', 'They gave twice');
  await expect(finance.getByText('Refused: given up by an operator: They gave twice')).toBeVisible();
  await open('11');
  await act(finance, 'Park', 'Park it', 'The provider looks into it');
  await expect(finance.getByText('Parked: it is asked for no more')).toBeVisible();
  await letAnswer();
  await act(finance, 'Retry', 'Retry $11.00');
  await expect(finance.getByText('Sent', { exact: true })).toBeVisible();
  await expect(finance.getByRole('button', { name: 'Park' })).toBeHidden();
  await finance.context().close();
});
