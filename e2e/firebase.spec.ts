import { expect, test } from '@playwright/test';
import { getUser } from '@sparechange/contract';
import { logIn } from './as-supporter.ts';
import { heading, stored } from './at-the-bank.ts';
import { aGoogle, project } from './google.ts';
import { aPlace, runOps, startProduct, stopProduct, untilReady } from './product.ts';
import { tenantSettings } from './supporter.ts';

test('with a Firebase project configured, Google serves sign-in, resets, changed addresses and closing, and the embedded service is off', async ({
  browser,
}) => {
  const google = await aGoogle();
  const place = {
    ...(await aPlace()),
    env: {
      FIREBASE_PROJECT_ID: project.id,
      FIREBASE_API_KEY: project.apiKey,
      FIREBASE_AUTH_DOMAIN: `${project.id}.firebaseapp.com`,
      FIREBASE_KEYS_URL: google.keysUrl,
    },
  };
  const program = startProduct(place);
  await untilReady(program);
  const home = `http://localhost:${place.port}`;
  const context = await browser.newContext({ baseURL: home });
  await google.standInFor(context);
  const page = await context.newPage();
  let email = 'nadia@example.com';

  await page.goto('/clubs');
  await page.getByRole('list').getByRole('button').first().click();
  await page.getByLabel('First Name').fill('Nadia');
  await page.getByLabel('Last Name').fill('Okafor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mobile Number').fill('0412345678');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByLabel('Confirm Password').fill('correct horse battery');
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(heading(page, 'Welcome')).toBeVisible();
  const { userId = '' } = await stored(page);

  await page.goto('/logout');
  await logIn(page, { email, password: 'correct horse battery' });
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Donated This Year')).toBeVisible();
  expect(google.keysAsked()).toBe(1); // kept as its headers say

  await page.goto('/logout');
  await page.getByRole('button', { name: 'Reset it' }).click();
  const modal = page.getByRole('dialog', { name: 'Forgot Password?' });
  await modal.getByLabel('Email').fill(email);
  await modal.getByRole('button', { name: 'Submit' }).click();
  await expect(modal).toBeHidden();
  expect(google.asked.at(-1)).toEqual({
    path: '/v1/accounts:sendOobCode',
    key: project.apiKey,
    body: { requestType: 'PASSWORD_RESET', email, clientType: 'CLIENT_TYPE_WEB' },
  });

  const { apikey, tenant } = tenantSettings('default');
  const answer = await fetch(`${home}/api${getUser.path}`, {
    method: 'POST',
    headers: {
      apikey,
      tenant,
      'content-type': 'application/json',
      authorization: `Bearer ${google.forgedToken(userId)}`,
    },
    body: JSON.stringify({ userId }),
  });
  expect(answer.status).toBe(401);
  for (const path of ['/identitytoolkit.googleapis.com/v1/accounts:signUp', '/.well-known/jwks.json']) {
    expect((await fetch(`${home}${path}?key=${project.apiKey}`, { method: 'POST' })).status).toBe(404);
  }

  const login = () => logIn(page, { email, password: 'correct horse battery' });
  await page.goto('/');
  await login();
  await expect(page).toHaveURL(/\/dashboard$/);

  const newEmail = 'nadia.okafor@example.com';
  await page.goto('/support');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: `${email}, your account` }).click();
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByLabel('New email address').fill(newEmail);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('We have sent a link to')).toBeVisible();
  const change = google.asked.findLast(({ path }) => path === '/v1/accounts:sendOobCode');
  expect(change?.body).toMatchObject({ requestType: 'VERIFY_AND_CHANGE_EMAIL', newEmail });
  const oldEmail = email;
  const undoCode = google.changeEmail(oldEmail, newEmail);
  email = newEmail;
  await page.goto('/logout');
  await login();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Donated This Year')).toBeVisible();
  expect(await runOps(place, 'supporter', 'show', newEmail)).toMatchObject({ tenant: 'default' });

  const undoLink = `/__/auth/action?mode=recoverEmail&oobCode=${undoCode}&apiKey=${project.apiKey}&lang=en`;
  await page.goto(undoLink);
  await expect(page.getByText(newEmail)).toBeVisible();
  await expect(page.getByText('the old one works until then')).toBeVisible();
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await expect(page.getByText(`Your email address is ${oldEmail} again.`)).toBeVisible();
  expect(google.asked.at(-1)).toMatchObject({
    path: '/v1/accounts:sendOobCode',
    body: { requestType: 'PASSWORD_RESET', email: oldEmail },
  });
  await page.goto('/dashboard');
  await login(); // with the address that was left: the browser that made the change is signed out
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  email = oldEmail;
  await login();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Donated This Year')).toBeVisible();
  expect(await runOps(place, 'supporter', 'show', oldEmail)).toMatchObject({ tenant: 'default' });
  await page.goto(undoLink);
  await expect(page.getByRole('alert')).toContainText('This link has been used or is too old.');

  await page.goto('/terms#your-data');
  await page.getByRole('button', { name: 'Close account' }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('dialog').getByRole('button', { name: 'Close account' }).click();
  await expect(page.getByText('Your account is closed.')).toBeVisible();
  expect(google.asked.map(({ path }) => path)).toContain('/v1/accounts:delete');
  await page.goto('/');
  await login();
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();

  await context.close();
  expect(await stopProduct(program)).toBe(0);
  google.close();
});
