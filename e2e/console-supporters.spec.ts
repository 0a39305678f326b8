import { expect, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { logIn, signIn } from './as-supporter.ts';
import { heading, sectionOf, signInAs } from './console-sign-in.ts';
import { mailsTo } from './mails.ts';
import { aSupporter } from './supporter.ts';

test('support finds a supporter and sees their state', async ({ page }) => {
  const { email, cdrid } = await aSupporter();
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Supporters' }).click();
  await expect(page.getByRole('row').first()).toBeVisible();
  await page.getByLabel('Search').fill('nobody of that name');
  await expect(page.getByText('Nobody matches.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByLabel('Search').fill(cdrid);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: email })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Mira Halloran' }).click();

  await expect(heading(page, 'Mira Halloran')).toBeVisible();
  await expect(page.getByText('Round-ups are on.')).toBeVisible();
  await expect(page.getByText(/^The consent lasts until /)).toBeVisible();
  await expect(page.getByText(/^X+\d{4}$/).first()).toBeVisible();
  await expect(page.getByText(/Mira Halloran registered as/)).toBeVisible();
  await page.getByRole('button', { name: 'Read the text' }).click();
  await expect(page.getByRole('dialog', { name: 'As it was agreed to' })).toContainText('On the screen: "');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expectAccessible(page); // and leaves the page as on a phone
  const acts = sectionOf(page, 'On their request').getByRole('button');
  const edges = await acts.evaluateAll((all) =>
    all.map((act) => {
      const { left, width } = act.getBoundingClientRect();
      return `${left} ${width}`;
    }),
  );
  expect(edges.length).toBeGreaterThan(5);
  expect(new Set(edges).size, 'acts stand one above the other, as wide as each other').toBe(1);
});

/** Delays timers that wait for a pause in typing, until `letGo()` is called in the page. */
const holdTyping = `
  const setNow = window.setTimeout;
  const held = [];
  window.letGo = () => held.splice(0).forEach((each) => each());
  window.setTimeout = (work, ms, ...rest) => (ms === 300 ? held.push(work) : setNow(work, ms, ...rest));`;

test('a supporter who is opened while a search is typed stays open', async ({ page }) => {
  const { cdrid } = await aSupporter();
  await signInAs(page, 'support');
  await page.addInitScript(holdTyping);
  await page.goto(`/console/supporters?search=${cdrid}`);
  await expect(page.getByRole('link', { name: 'Mira Halloran' })).toBeVisible();
  await page.getByLabel('Search').fill('Mira');
  await page.evaluate(`document.querySelector('td a').click(); window.letGo()`);
  await expect(heading(page, 'Mira Halloran')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/console/supporters/${cdrid}$`));
});

test('support pauses, stops debits, sends mails and closes on request', async ({ page }) => {
  const { email, cdrid } = await aSupporter();
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.goto(`/console/supporters/${cdrid}`);
  const act = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });

  await act('Pause round-ups').click();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog('Pause round-ups').getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused until they resume.')).toBeVisible();
  await act('Resume round-ups').click();
  await dialog('Resume round-ups').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Round-ups are on.', { exact: true })).toBeVisible();

  await act('Stop debits').click();
  await dialog('Stop debits').getByRole('button', { name: 'Stop debits' }).click();
  await expect(dialog('Stop debits').getByText('Please say why')).toBeVisible();
  await dialog('Stop debits').getByLabel('Reason').fill('They dispute one');
  await dialog('Stop debits').getByRole('button', { name: 'Stop debits' }).click();
  await expect(page.getByText(/^Debits have been stopped since .*: They dispute one$/)).toBeVisible();
  await act('Allow debits again').click();
  await dialog('Allow debits again').getByLabel('Reason').fill('Settled');
  await page.keyboard.press('Enter');
  await expect(act('Stop debits')).toBeVisible();

  await act('Send a password reset').click();
  await dialog('Send a password reset').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The reset is on its way.')).toBeVisible();
  await expect.poll(async () => (await mailsTo(email)).map(({ subject }) => subject)).toContain('Reset your password');
  await expect(page.getByRole('button', { name: 'Link to reset the password' })).toBeVisible();
  await act('Send them their data').click();
  await dialog('Send them their data').getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject))
    .toContain('Your data is ready to download');

  await act('Close the account').click();
  await expect(dialog('Close the account').getByText(/of spare change is dropped/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog('Close the account').getByRole('button', { name: 'Close the account' }).click();
  await expect(page.getByText(/^The account was closed on /)).toBeVisible();
  await expect(act('Pause round-ups')).toBeHidden();
  await expect(page.getByText(/operator.*closed the supporter's account/i)).toBeVisible();
  await expectAccessible(page);
});

test('support disables an abused sign-in, and enables it again', async ({ page, browser }) => {
  const supporter = await aSupporter();
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, supporter);
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.goto(`/console/supporters/${supporter.cdrid}`);
  const act = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  await act('Disable the sign-in').click();
  await expect(dialog('Disable the sign-in').getByText(/^They are signed out everywhere right away/)).toBeVisible();
  await dialog('Disable the sign-in').getByLabel('Reason').fill('Somebody else has their telephone');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog('Disable the sign-in').getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('The sign-in is disabled: nobody can sign in.')).toBeVisible();
  await expect(act('Send a password reset')).toBeHidden();

  await theirs.reload();
  await expect(theirs.getByRole('button', { name: 'Login' })).toBeVisible();
  await logIn(theirs, supporter);
  await expect(theirs.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  await act('Enable the sign-in').click();
  await dialog('Enable the sign-in').getByLabel('Reason').fill('They have it back');
  await dialog('Enable the sign-in').getByRole('button', { name: 'Enable' }).click();
  await expect(act('Send a password reset')).toBeVisible();
  await logIn(theirs, supporter);
  await theirs.waitForURL(/\/dashboard$/);
});

test("support deletes a supporter's bank data on request, and their account stays", async ({ page }) => {
  const { email, cdrid } = await aSupporter();
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.goto(`/console/supporters/${cdrid}`);
  const act = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });

  await act('Delete bank data').click();
  await expect(
    dialog('Delete bank data').getByText(/^Their consent and the authority to debit end right away/),
  ).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog('Delete bank data').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The data from their bank is deleted.')).toBeVisible();
  await expect(page.getByText('No bank account is known.')).toBeVisible();
  await expect(page.getByText(/^The consent was withdrawn on /)).toBeVisible();
  await expect(act('Delete bank data')).toBeHidden();
  await expect(act('Close the account')).toBeVisible();
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject))
    .toContain('The data from your bank is deleted');
});

test('a viewer sees no supporter', async ({ page }) => {
  await signInAs(page, 'viewer');
  await page.goto('/console/supporters');
  await expect(heading(page, "We can't find that page")).toBeVisible();
});
