import { expect, type Page, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { signIn } from './as-supporter.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { mailsTo } from './mails.ts';
import { aSupporter, product, type Supporter } from './supporter.ts';

const lookedAt = /^Your bank gives another name for this account, so we look at it first and email you\./;

/** Chooses the bank's first account as funding account. */
async function chooseAccount(page: Page): Promise<void> {
  await page.goto(`${product()}/funding-accounts`);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'CONTINUE' }).click();
}

/** Signs in somebody whose accounts are in another name, and has them choose one. */
async function asksForAccount(page: Page): Promise<Supporter> {
  const supporter = await aSupporter({ crn: '90000007', upTo: 'connected' });
  await signIn(page, supporter);
  await page.goto(`${product()}/roundup-accounts`);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(heading(page, 'Funding Account')).toBeVisible();
  await chooseAccount(page);
  await expect(page.getByText(lookedAt)).toBeVisible();
  return supporter;
}

/** Decides on a supporter's account. */
async function decide(page: Page, { email }: Supporter, decision: 'Approve' | 'Refuse'): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: email });
  await row.getByRole('button').click();
  await expect(page.getByRole('dialog').getByText('Asking the bank...')).toBeHidden();
  await page.getByRole('dialog').getByRole('button', { name: decision }).click();
  const dialog = page.getByRole('dialog', { name: `${decision} the account?` });
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: decision }).click();
  await expect(row).toBeHidden();
}

const subjectsTo = async ({ email }: Supporter) => (await mailsTo(email)).map(({ subject }) => subject);

test('accounts in another name wait for a decision, which is emailed to their supporters', async ({
  page,
  browser,
}) => {
  const mine = await (await browser.newContext()).newPage();
  const theirs = await (await browser.newContext()).newPage();
  const approved = await asksForAccount(mine);
  const refused = await asksForAccount(theirs);

  await signInAs(page, 'finance');
  await page.getByRole('link', { name: 'Supporters' }).click();
  await page.getByRole('link', { name: 'Names to review' }).click();
  await expect(heading(page, 'Names to review')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: approved.email })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('row').filter({ hasText: approved.email }).getByRole('button').click();
  const holder = page.getByRole('dialog', { name: 'Mira Halloran' }).getByRole('definition').nth(1);
  await expect(holder).toHaveText(/^(?!.*(Mira|Halloran|bank)).+/);
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Close' }).click();

  await decide(page, approved, 'Approve');
  await decide(page, refused, 'Refuse');
  await expect.poll(() => subjectsTo(approved)).toContain('You can choose your funding account now');
  await expect.poll(() => subjectsTo(refused)).toContain('Please choose another funding account');

  await chooseAccount(mine);
  await expect(heading(mine, 'Thankyou')).toBeVisible();
  await chooseAccount(theirs);
  await expect(theirs.getByText(/^We looked at this account, and your bank gives another name for it\./)).toBeVisible();
});
