import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Role } from '@sparechange/contract/console';
import { addDays, sydneyDay } from '@sparechange/domain';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { mailsTo } from './mails.ts';
import { ops } from './ops.ts';
import { demo } from './product.ts';

interface ShownClub {
  account: string | null;
  bankDetailChange: unknown;
}

const anOwner = async (page: Page) => {
  await page.setViewportSize(desktop);
  return signInAs(page, 'owner');
};

test('an owner adds a club, edits and retires it; support looks at it', async ({ page, browser }) => {
  await anOwner(page);
  await page.getByRole('link', { name: 'Clubs' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByText('Raised by brand').click();
  await expect(page.getByRole('region', { name: 'Raised by brand' })).toContainText('Westside Netball Association');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByText('Raised by brand').click();
  await page.getByLabel('Search').fill('wombats');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('State').selectOption('Ended');
  await expect(page.getByText('No club matches this filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a club' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add club' }).click();
  await expect(dialog.getByText('Please enter a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Harbour Divers');
  await dialog.getByLabel('Link').fill('harbour-divers');
  await dialog.getByLabel('Part of').selectOption('Coastal Surf Council');
  await dialog.getByLabel("Contact's email").fill('sam@divers.example');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  const abn = dialog.getByLabel('ABN');
  await expect(abn).toBeHidden();
  await dialog.getByText('More details').focus();
  await page.keyboard.press('Enter');
  await abn.fill('51 824 753 557');
  await dialog.getByRole('radio', { name: 'surf.svg', exact: true }).focus();
  await page.keyboard.press('Space');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByText('More details').click();
  await expect(abn).toBeHidden();
  await dialog.getByRole('button', { name: 'Add club' }).click();
  await expect(abn).toBeFocused();
  await abn.fill('51 824 753 556');
  await dialog.getByRole('button', { name: 'Add club' }).click();
  await expect(heading(page, 'Harbour Divers')).toBeVisible();
  await expect(page.getByText('51 824 753 556')).toBeVisible();
  await expect(page.getByAltText('surf.svg')).toBeVisible();
  await expect(page.getByText('None yet. What is given is kept')).toBeVisible();
  await expectAccessible(page);
  const address = page.url();
  await page.getByRole('link', { name: 'Statement', exact: true }).click();
  await expect(page.getByText('Nobody’s money was paid out in this month.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(address);

  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('About: a paragraph on its page').fill('We dive\nevery Sunday.');
  await ops('clubs', 'edit', 'harbour-divers', '--contact', 'kim@divers.example'); // as its treasurer does
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('kim@divers.example')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'We dive every Sunday.' })).toBeVisible();
  await page.getByRole('button', { name: 'Retire' }).click();
  await expect(dialog.getByText('its supporters are no longer debited')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Retire' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^Ended /)).toBeVisible();
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Reinstate' }).click();
  await dialog.getByRole('button', { name: 'Reinstate' }).click();
  await expect(page.getByText('Accepting gifts')).toBeVisible();

  const support = await (await browser.newContext({ viewport: desktop })).newPage();
  await signInAs(support, 'support');
  await support.goto(address);
  await expect(heading(support, 'Harbour Divers')).toBeVisible();
  await expect(support.getByRole('button', { name: /Edit|Retire|bank details/ })).toHaveCount(0);
  await expect(support.getByText('kim@divers.example')).toBeVisible();
  await expect(support.getByRole('heading', { name: 'Bank details' })).toBeHidden();

  const error = { code: 'unavailable', message: 'Please try again in a minute.' };
  await page.route('**/console/api/clubs/bank-details?*', (route) => route.fulfill({ status: 503, json: { error } }));
  await page.reload();
  await expect(page.getByText(error.message)).toBeVisible();
});

test('the second of two editors is shown what the first changed, and loses nothing', async ({ page, browser }) => {
  const { id } = await ops(
    'clubs',
    'add',
    '--name',
    'Hill Bowls',
    '--slug',
    'hill-bowls',
    '--contact',
    'lee@bowls.example',
  );
  await anOwner(page);
  const other = await (await browser.newContext({ viewport: desktop })).newPage();
  await signInAs(other, 'owner');
  const dialog = (of: Page) => of.getByRole('dialog', { name: 'Edit Hill Bowls' });
  for (const each of [page, other]) {
    await each.goto(`/console/clubs/${id}`);
    await each.getByRole('button', { name: 'Edit' }).click();
  }
  await dialog(page).getByLabel('Suburb').fill('Hill Top');
  await dialog(page).getByLabel('Sport or cause').fill('Lawn bowls');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Hill Top')).toBeVisible();

  await dialog(other).getByLabel('Suburb').fill('Hillside');
  await dialog(other).getByLabel('About: a paragraph on its page').fill('Bowls on Sundays.');
  await dialog(other).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(other).getByText('Somebody else has changed the suburb to "Hill Top".')).toBeVisible();
  await expect(dialog(other).getByLabel('Suburb')).toHaveValue('Hillside');
  await expect(dialog(other).getByLabel('About: a paragraph on its page')).toHaveValue('Bowls on Sundays.');
  await expectAccessible(other);
  await other.setViewportSize(desktop);
  await page.reload();
  await expect(page.getByText('Bowls on Sundays.')).toBeHidden();

  await dialog(other).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(other)).toBeHidden();
  for (const kept of ['Hillside', 'Lawn bowls', 'Bowls on Sundays.']) await expect(other.getByText(kept)).toBeVisible();
});

test('wrong bank details are put right by two people and the old contact', async ({ page, browser }) => {
  const contact = `treasurer-${randomUUID()}@example.com`;
  const { id } = await ops('clubs', 'add', '--name', 'Bay Choir', '--slug', 'bay-choir', '--contact', contact);
  await anOwner(page);
  const finance = await (await browser.newContext({ viewport: desktop })).newPage();
  await signInAs(finance, 'finance');
  await ops('approvals', 'people', '2');
  const club = () => ops<ShownClub>('clubs', 'show', 'bay-choir');
  const give = async (by: Page, accountNumber: string) => {
    await by.goto(`/console/clubs/${id}`);
    await by.getByRole('button', { name: /Give bank details|Ask for/ }).click();
    const dialog = by.getByRole('dialog', { name: 'Change bank details' });
    await dialog.getByLabel('Name of the account').fill('Bay Choir Inc');
    await dialog.getByLabel('BSB').fill('062-000');
    await dialog.getByLabel('Account number').fill(accountNumber);
    await dialog.getByRole('button', { name: 'Ask for the change' }).click();
    await expect(by.getByText(`A change to 062-000 (Commonwealth Bank) …${accountNumber.slice(-3)}`)).toBeVisible();
  };
  /** Agrees at the command line, as somebody else. */
  const agrees = async (isMeant: (summary: string) => boolean) => {
    const { approvals } = await ops<{ approvals: { id: string; summary: string }[] }>('approvals', 'list');
    await ops('approvals', 'agree', approvals.find(({ summary }) => isMeant(summary))?.id ?? '');
  };
  const opensMail = async (count: number, button: string) => {
    const asking = async () => (await mailsTo(contact)).filter(({ subject }) => subject.endsWith('please confirm'));
    await expect.poll(async () => (await asking()).length).toBe(count);
    const text = (await asking()).at(0)?.text ?? '';
    const link = /https?:\/\/\S*\/bank-details\/\S+/.exec(text)?.[0] ?? '';
    const mailed = await (await browser.newContext()).newPage();
    await mailed.goto(new URL(new URL(link).pathname, page.url()).href);
    await mailed.getByRole('button', { name: button }).click();
    await expect(mailed.getByText(/Thank you|was stopped|^From /)).toBeVisible();
  };

  await finance.goto(`/console/clubs/${id}/balance`);
  await finance.getByRole('button', { name: 'Change' }).click();
  await finance.getByLabel('At most, in dollars').fill('100');
  await finance.getByRole('button', { name: 'Save' }).click();
  await expect(finance.getByText('$0.00 is held back for bank claims, of at most $100.00.')).toBeVisible();
  await finance.getByRole('button', { name: 'Correct its balance' }).click();
  const correcting = finance.getByRole('dialog', { name: 'Correct the balance of Bay Choir' });
  await correcting.getByLabel('Against').selectOption("Operator's money");
  await correcting.getByLabel('Amount in dollars').fill('60');
  await correcting.getByLabel('Reason').fill('paid to another choir');
  await expectAccessible(finance);
  await correcting.getByRole('button', { name: 'Correct', exact: true }).click();
  await expect(correcting.getByText('another person has to agree')).toBeVisible();
  await correcting.getByRole('button', { name: 'Close' }).click();
  await agrees((summary) => /^Correction for Bay Choir: debit .*\$60\.00/.test(summary));
  await expect(finance.getByRole('row').filter({ hasText: 'paid to another choir' })).toContainText('$60.00');
  await expectAccessible(finance);

  await give(page, '11112222'); // with two digits wrong
  await expect(page.getByText(`Waiting for ${contact} to confirm`)).toBeVisible();
  await expect(page.getByText('Waiting for somebody of the organisation')).toBeVisible();
  await expectAccessible(page);
  await opensMail(1, 'This is wrong: stop it');

  await give(finance, '11113333');
  await agrees((summary) => summary.endsWith('333'));
  await opensMail(2, 'This is right');
  await expect(finance.getByText(`Confirmed by ${contact}`)).toBeVisible();
  await expect(finance.getByText(/^Used from /)).toBeVisible();
  expect((await club()).account).toBeNull();
  await expect(() => ops('advance', '--days', '6')).toPass();
  expect(await club()).toMatchObject({ account: expect.stringContaining('…333'), bankDetailChange: null });
  await page.goto(`/console/clubs/${id}`);
  await expect(page.getByText('…333')).toBeVisible();
});

test('finance, support and a viewer see the parts of a club’s treasurer pages that their roles allow', async ({
  browser,
}) => {
  await expect(() => ops('advance', '--days', '12')).toPass();
  const { supportingClubId } = await ops<{ supportingClubId: string }>('supporter', 'show', demo.email);
  const somebody = async (role: Role) => {
    const page = await (await browser.newContext({ viewport: desktop })).newPage();
    await signInAs(page, role);
    await page.goto(`/console/clubs/${supportingClubId}`);
    const parts = page.getByRole('navigation', { name: 'About this club' }).getByRole('link');
    const open = async (part: string) => {
      await page.setViewportSize(desktop);
      await parts.filter({ hasText: part }).click();
    };
    return { page, parts, open };
  };

  const finance = await somebody('finance');
  await expectAccessible(finance.page);
  await finance.open('Raised and forecast');
  await expect(finance.page.getByRole('slider', { name: 'Month' })).toBeVisible();
  await expectAccessible(finance.page);
  await finance.open('Payouts');
  await expect(finance.page.getByRole('heading', { name: 'The year in one file' })).toBeVisible();
  await expectAccessible(finance.page);
  await finance.page.setViewportSize(desktop);
  await finance.page.getByRole('row').getByRole('button').first().click();
  const payout = finance.page.getByRole('dialog');
  await payout.getByRole('button', { name: 'Xero', exact: true }).click(); // asks for an account first
  for (const [button, ending] of [
    ['Save for Xero', 'csv'],
    ['PDF', 'pdf'],
  ] as const) {
    const download = finance.page.waitForEvent('download');
    await payout.getByRole('button', { name: button, exact: true }).click();
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^payout-.*\\.${ending}$`));
  }
  await expectAccessible(finance.page);
  await payout.getByRole('button', { name: 'Close' }).last().click();
  await saveSomeDays(finance.page);
  await finance.open('Link and poster');
  await expect(finance.page.getByRole('img', { name: 'QR code of the club’s page' })).toBeVisible();
  await expectAccessible(finance.page);
  await finance.open('Contact and mails');
  await expect(finance.page.getByText('Weekly', { exact: true })).toBeVisible();
  await expect(finance.page.getByRole('button', { name: 'Change the contact' })).toBeHidden();
  await expectAccessible(finance.page);

  const owner = await somebody('owner');
  await sortsAndFilters(owner.page);
  await owner.page.goto(`/console/clubs/${supportingClubId}`);
  await owner.open('Contact and mails');
  await owner.page.getByLabel('Monthly').click();
  await expect(owner.page.getByLabel('Monthly')).toBeChecked();
  await expect(owner.page.getByText('Saved')).toBeVisible();
  await expectAccessible(owner.page);
  await owner.page.setViewportSize(desktop);
  await owner.page.getByRole('button', { name: 'Change the contact' }).click();
  await owner.page.getByLabel('Email').fill('new@club.example');
  await owner.page.getByRole('button', { name: 'Change it' }).click();
  await owner.open('Details');
  await expect(owner.page.getByText('new@club.example')).toBeVisible();

  const support = await somebody('support');
  await expect(support.parts).toHaveText([
    'Details',
    'Raised and forecast',
    'Payouts',
    'Contact and mails',
    'Link and poster',
  ]);
  await support.open('Payouts');
  await support.page.getByRole('row').getByRole('button').first().click();
  await expect(support.page.getByRole('dialog')).toContainText('On the club’s bank statement it is');
  await expect(support.page.getByRole('button', { name: 'PDF' })).toBeHidden();
  await support.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await support.open('Contact and mails');
  await expect(support.page.getByText('Monthly', { exact: true })).toBeVisible();
  await expect(support.page.getByRole('button', { name: 'Change the contact' })).toBeHidden();

  const viewer = await somebody('viewer');
  await expect(viewer.parts).toHaveText(['Details', 'Raised and forecast', 'Payouts']);
  await expect(viewer.page.getByText('Fewer than 5')).toBeVisible();
  await expect(viewer.page.getByText('new@club.example')).toBeHidden();
  await expectAccessible(viewer.page);
  await viewer.open('Payouts');
  await expect(viewer.page.getByRole('heading', { name: 'On its way' })).toBeVisible();
  await viewer.page.getByRole('link', { name: 'Clubs', exact: true }).click();
  await expect(viewer.page.getByRole('table')).toBeVisible();
  await expect(viewer.page.getByRole('button', { name: /Add a club|Edit|Retire/ })).toHaveCount(0);
  await viewer.page.getByLabel('Supporters', { exact: true }).selectOption('Only clubs with 5 or more');
  await expect(viewer.page.getByText('Fewer than 5')).toHaveCount(0);
});

/** Sorts the clubs by what they raised and by name, and finds those with supporters; the address keeps both. */
async function sortsAndFilters(page: Page): Promise<void> {
  await page.goto('/console/clubs');
  const first = page.getByRole('row').nth(1);
  await page.getByRole('button', { name: 'Raised', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'Raised' })).toHaveAttribute('aria-sort', 'descending');
  await expect(first).not.toContainText('$0.00');
  const most = (await first.getByRole('link').textContent()) ?? '';
  await page.getByRole('button', { name: 'Club', exact: true }).click();
  await page.getByRole('button', { name: 'Club', exact: true }).click();
  await expect(first).toContainText('Yarra Junction Cricket Club');
  await page.getByLabel('Supporters', { exact: true }).selectOption('Only clubs with supporters');
  await expect(page.getByText('Yarra Junction Cricket Club')).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Supporters', { exact: true })).toHaveValue('some');
  await expect(page.getByRole('columnheader', { name: 'Club' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('link', { name: most, exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
}

/** Saves a club's payouts around today, and expects impossible days to be refused. */
async function saveSomeDays(page: Page): Promise<void> {
  const today = sydneyDay(new Date());
  const [from, to] = [addDays(today, -100), addDays(today, 100)];
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Choose other days' }).click();
  const days = page.getByRole('dialog', { name: 'Payouts of some days' });
  await days.getByLabel('From').fill(from);
  await days.getByLabel('To').fill(addDays(from, -1));
  await days.getByRole('button', { name: 'CSV' }).click();
  await expect(days).toContainText('Please choose one of the 366 days from the first on');
  await expectAccessible(page);
  await days.getByLabel('To').fill(to);
  await days.getByRole('button', { name: 'Xero', exact: true }).click();
  const download = page.waitForEvent('download');
  await days.getByRole('button', { name: 'Save for Xero' }).click();
  expect((await download).suggestedFilename()).toBe(`payouts-${from}-to-${to}-xero.csv`);
  await days.getByRole('button', { name: 'Close', exact: true }).click();
}
