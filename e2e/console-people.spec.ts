import { expect, type Page } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { button, pressOn, tabTo } from './by-keyboard.ts';
import { confirmsByPasskey, heading, mailedLink, openLink, sectionOf, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';

/** Signs in an owner, opens People and returns their address. */
async function ownerAtPeople(page: Page): Promise<string> {
  const email = await signInAs(page, 'owner');
  await confirmsByPasskey(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'People' }).click();
  await expect(heading(page, 'People')).toBeVisible();
  return email;
}

/** Signs in again, finds, opens and leaves a person, saves the list and agrees to a person, all without a mouse. */
async function agreesByKeyboard(page: Page, email: string): Promise<void> {
  await pressOn(page, button(page, 'Sign out'));
  await pressOn(page, button(page, 'Sign in with a passkey'));
  await tabTo(page, page.getByLabel('Search'));
  await page.keyboard.type(email);
  await expect(page.getByRole('row')).toHaveCount(2);
  const person = button(page, 'Pat owner');
  await pressOn(page, person);
  await expect(page.getByRole('dialog', { name: 'Pat owner' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(person).toBeFocused();
  const download = page.waitForEvent('download');
  await pressOn(page, button(page, 'Export as CSV'));
  expect((await download).suggestedFilename()).toBe('People.csv');
  await tabTo(page, page.getByRole('button', { name: /^Agree: One person is enough/ }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Agree' }));
}

test('two people are asked for by one owner, and one is enough again once another agrees', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await ownerAtPeople(other); // before another invitation of an owner waits
  const email = await ownerAtPeople(page);
  const rule = sectionOf(page, 'Approvals');
  await expect(rule).toContainText('One person');
  await expect(rule).toContainText('This is the default.');
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await rule.getByRole('button', { name: 'Require two people' }).click();
  const asking = page.getByRole('dialog', { name: 'Require two people?' });
  await expect(asking).toContainText('Turning this off needs two people as well');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await asking.getByRole('button', { name: 'Require two' }).click();
  await expect(rule).toContainText('Two people');
  await expect(rule).toContainText('Chosen by Pat owner.');

  await rule.getByRole('button', { name: 'Turn approvals off' }).click();
  const letting = page.getByRole('dialog', { name: 'Turn approvals off?' });
  await expect(letting).toContainText('Another owner has to agree.');
  await letting.getByRole('button', { name: 'Turn off' }).click();
  await expect(letting).toContainText('Nothing has changed yet: another person has to agree');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await letting.getByRole('button', { name: 'Close' }).click();
  await expect(rule.getByRole('button', { name: /^Withdraw: One person is enough/ })).toBeVisible();
  await expectAccessible(page);

  await agreesByKeyboard(other, email);
  await expect(sectionOf(other, 'Approvals')).toContainText('One person');
  await expect(rule).toContainText('One person');
  await other.context().close();
});

test("an owner changes a person's role, recovers their sign-in and removes them", async ({ page, browser }) => {
  await ownerAtPeople(page);
  const theirs = await (await browser.newContext({ viewport: desktop })).newPage();
  const email = await signInAs(theirs, 'viewer');
  await page.getByLabel('Search').fill(email);
  const row = page.getByRole('row').filter({ hasText: email });
  const dialog = page.getByRole('dialog', { name: 'Pat viewer' });
  const open = () => row.getByRole('button', { name: 'Pat viewer' }).click();
  const comeBack = async () => {
    await theirs.reload();
    await theirs.getByRole('button', { name: 'Sign in with a passkey' }).click();
  };
  const isRefused = () => expect(theirs.getByText('This passkey is not known here.')).toBeVisible();

  await open();
  await dialog.getByRole('checkbox', { name: 'Support' }).check();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await expect(row).toContainText('Support');
  await comeBack(); // other roles end the session
  await expect(theirs.getByRole('link', { name: 'Supporters' })).toBeVisible();

  await open();
  await dialog.getByRole('button', { name: 'Recover their sign-in' }).click();
  await dialog.getByRole('button', { name: 'Recover' }).click();
  await expect(row).toContainText('not set up');
  await comeBack();
  await isRefused();
  await openLink(theirs, await mailedLink(email, 'Choose a new way to sign in'));
  await theirs.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(heading(theirs, 'Today')).toBeVisible();
  await theirs.getByRole('button', { name: 'Sign out', exact: true }).click();
  await comeBack();
  await expect(heading(theirs, 'Today')).toBeVisible();

  await open();
  await dialog.getByRole('button', { name: 'Remove from the console' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row).toContainText('Removed');
  await comeBack();
  await isRefused();
  await theirs.context().close();
});
