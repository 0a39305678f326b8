import { expect, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { desktop, expectAccessible } from './accessible.ts';
import { addAuthenticator, anAddress, heading, mailedLink, openLink, signInAs } from './console-sign-in.ts';
import { ops } from './ops.ts';

/** Returns the code after the one in use, which the server takes as well. */
const nextCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 });
const presentCode = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

test('an owner comes by invitation, invites others with a passkey, and signs in with it', async ({ page }) => {
  const email = anAddress('owner');
  await ops('console', 'invite', email, '--role', 'owner', '--name', 'Olive Owner');
  await addAuthenticator(page);
  await page.goto('/console');
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expectAccessible(page);

  const link = await mailedLink(email);
  await openLink(page, link);
  await expect(heading(page, 'Hello Olive')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a passkey' }).dblclick();
  await expect(heading(page, 'Today')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('link', { name: 'People' }).click();
  await expect(page.getByRole('cell', { name: email })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });

  const invited = anAddress('finance');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByText('Please enter a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Fay Finance');
  await dialog.getByLabel('Email').fill(invited);
  await expect(dialog.getByText('Please choose a role')).toBeVisible();
  await dialog.getByLabel('Finance').check();
  await expect(dialog.getByText(/^Please /)).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  const error = { code: 'requires-recent-login', message: 'Please confirm who you are.' };
  await page.route('**/people/invite', (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 }); // as five minutes later
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const confirm = page.getByRole('dialog', { name: 'Please confirm it is you' });
  await expect(confirm.getByRole('button', { name: 'Use your passkey' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await confirm.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(dialog).toBeHidden();
  await mailedLink(invited);
  await page.getByLabel('Search').fill(invited);
  await expect(page).toHaveURL(/search=finance-/);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: 'Invited' })).toBeVisible();

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Invited a person' }).first()).toContainText('Olive Owner');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Check now' }).click();
  const check = page.getByRole('dialog', { name: 'Check the audit log' });
  await check.getByRole('button', { name: 'Check now' }).click();
  await expect(check.getByText(/entr(y|ies) checked; nothing was found\./)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await check.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText(/Verified to checkpoint [0-9]+/)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Checked the audit log' }).first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('Audit log.csv');

  await page.getByRole('link', { name: 'Your sign-in' }).click();
  await expect(page.getByText('You are signed in here alone.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(heading(page, 'Your sign-in')).toBeVisible();

  await openLink(page, link);
  await expect(heading(page, 'This link cannot be opened')).toBeVisible();
  await expectAccessible(page);
});

test('the audit log is not called intact before that is known, or when it cannot be read', async ({ page }) => {
  let isAnswered = false;
  await page.route('**/console/api/audit-log/state', async (route) => {
    while (!isAnswered) await new Promise((resolve) => setTimeout(resolve, 50));
    await route.fulfill({ status: 500, json: {} });
  });
  await signInAs(page, 'owner');
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('Who did what.', { exact: true })).toBeVisible();
  isAnswered = true;
  await expect(page.getByRole('alert')).toContainText('It could not be read whether the log was changed.');
  await expect(page.getByText('No checkpoint has been made yet')).toBeHidden();
  await expectAccessible(page);
});

test('a password signs in together with the code of an authenticator', async ({ page }) => {
  const email = anAddress('owner');
  await ops('console', 'invite', email, '--role', 'owner');
  await openLink(page, await mailedLink(email));
  await page.getByRole('button', { name: 'Use a password and an authenticator' }).click();
  await expect(heading(page, 'Choose a password')).toBeVisible();
  const key = page.getByLabel('Key of the authenticator');
  await expect(key).toHaveText(/[A-Z2-7]{4} /);
  await expect(page.getByRole('img', { name: 'QR code for the authenticator' })).toBeVisible();
  await expectAccessible(page);
  const secret = ((await key.textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('New password').fill('correct horse battery');
  await page.getByLabel('Code', { exact: true }).fill(presentCode(secret));
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(heading(page, 'Today')).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Use a password' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByLabel('Code from your authenticator app').fill('000 00');
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await expect(page.getByText('Please enter the 6 digits')).toBeVisible();
  await page.getByLabel('Code from your authenticator app').fill(nextCode(secret));
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await expect(heading(page, 'Today')).toBeVisible();
});

test('a treasurer asks for a link, reads, and adds a passkey', async ({ page }) => {
  const email = anAddress('treasurer');
  const { clubs } = await ops<{ clubs: { id: string }[] }>('clubs', 'list');
  await ops('console', 'invite', email, '--role', 'treasurer', '--club', clubs[0]?.id ?? '');
  await mailedLink(email);
  await page.goto('/console');
  await page.getByRole('button', { name: 'Treasurer of a club?' }).click();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await openLink(page, await mailedLink(email, 'Your sign-in link'));
  await expect(page.getByText(/^View only/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'People' })).toBeHidden();
  await expectAccessible(page);
  await addAuthenticator(page);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText(/^View only/)).toBeHidden();
  await page.goto('/console/people');
  await expect(heading(page, "We can't find that page")).toBeVisible();
  await expectAccessible(page);
});

test('the console is worked by keyboard, and neither app loads anything of the other', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/console');
  await expect(heading(page, 'Sign in')).toBeVisible();
  expect(loaded.filter((path) => !path.startsWith('/console'))).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // on “Use a password”
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  loaded.length = 0;
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(loaded.filter((path) => path.startsWith('/console'))).toEqual([]);
});

test('a page whose code cannot be loaded says so, and comes with the network or a reload', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.setViewportSize(desktop);
  const fault = heading(page, 'This page could not be shown');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(fault).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(heading(page, 'Payments')).toBeVisible();

  // As after a release, which removes the code of the one before.
  const ofRelease = /\/assets\/jobs-.*\.js$/;
  await page.route(ofRelease, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Jobs' }).click();
  await expect(fault).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await expect(heading(page, 'Mail')).toBeVisible();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await expect(fault).toBeVisible();
  await page.unroute(ofRelease);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(heading(page, 'Jobs')).toBeVisible();
});

test('signing in is ready within 150 kB', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto('/console');
  await page.getByRole('button', { name: 'Use a password' }).click();
  await expect(page.getByLabel('Email')).toBeEditable();
  expect(bytes).toBeLessThan(150_000);
  expect(bytes).toBeGreaterThan(20_000);
});

for (const act of ['Sign out', 'Sign out everywhere'])
  test(`“${act}” in one tab leaves the console in the others immediately`, async ({ page, context }) => {
    const email = await signInAs(page, 'owner');
    const others = [await context.newPage(), await context.newPage()];
    for (const [at, path] of ['/console/people', '/console/audit-log'].entries()) await others[at]?.goto(path);
    for (const other of others) await expect(other.getByText(email).first()).toBeVisible();
    await page.getByRole('link', { name: 'Your sign-in' }).click();
    for (const other of others) await other.route('**/console/api/**', (route) => route.abort()); // they need no answer
    await page.getByRole('button', { name: act, exact: true }).click();
    for (const other of [page, ...others]) {
      await expect(heading(other, 'Sign in')).toBeVisible();
      await expect(other.getByText(email)).toHaveCount(0);
    }
  });
