import { retrieveHistory } from '@sparechange/contract';
import { expect, logIn, signIn, test } from './as-supporter.ts';
import { heading, stored } from './at-the-bank.ts';
import { mailsTo } from './mails.ts';
import { refuses } from './mock-api.ts';
import { aSupporter } from './supporter.ts';

test('an ended session leads to the login screen and back to the same page', async ({ member, ready }) => {
  await refuses(retrieveHistory, 401, 'signed-out')(member);
  await member.goto('/history');
  await expect(member.getByRole('button', { name: 'Login' })).toBeVisible();
  await member.unrouteAll();
  await logIn(member, ready);
  await expect(heading(member, 'Round-Up History')).toBeVisible();
});

test('a forgotten password is reset by email, and the new one signs in', async ({ page }) => {
  const { email } = await aSupporter({ upTo: 'registered' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Reset it' }).click();
  const modal = page.getByRole('dialog', { name: 'Forgot Password?' });
  await modal.getByLabel('Email').fill(email);
  await modal.getByRole('button', { name: 'Submit' }).click();
  await expect(modal).toBeHidden();

  const mailed = async () => {
    const mails = await mailsTo(email);
    return mails.map(({ text }) => /https?:\/\/\S*oobCode=\S+/.exec(text)?.[0]).find(Boolean) ?? '';
  };
  await expect.poll(mailed).not.toBe('');
  await page.goto(await mailed());
  await page.getByLabel('New Password').fill('a wholly new one');
  await page.getByLabel('Confirm Password').fill('a wholly new one');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await page.getByRole('link', { name: 'Login' }).click();
  await logIn(page, { email, password: 'a wholly new one' });
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the identity provider gets the language of the device, for its emails', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: 'vi-VN', ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  const asked = page.waitForRequest(/accounts:sendOobCode/);
  await page.goto('/');
  await page.getByRole('button', { name: 'Reset it' }).click();
  const modal = page.getByRole('dialog', { name: 'Forgot Password?' });
  await modal.getByLabel('Email').fill('nobody@example.com');
  await modal.getByRole('button', { name: 'Submit' }).click();
  expect((await asked).headers()['x-firebase-locale']).toBe('vi-VN');
  await context.close();
});

test('logging out ends the session, at the server too, and empties the storage', async ({ page }) => {
  const supporter = await aSupporter();
  const called = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await signIn(page, supporter);
  const call = await called;
  const { authorization = '', apikey = '', tenant = '' } = await call.allHeaders();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByText(supporter.email)).toBeVisible();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(await stored(page)).toEqual({ host: 'default' });
  const headers = { authorization, apikey, tenant, 'content-type': 'application/json' };
  const again = async () => (await page.request.post(call.url(), { headers, data: call.postData() ?? '' })).status();
  await expect.poll(again).toBe(401); // what only reads may be answered for one more second
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('an unknown address says so; /previous-page goes back, or to the round-up accounts', async ({ member }) => {
  await member.goto('/no/such/page');
  await member.getByRole('link', { name: 'Go home' }).click();
  await expect(member).toHaveURL(/\/$/);
  await member.goto('/previous-page');
  await expect(heading(member, 'Setting Up')).toBeVisible();
});

test('every entry of the side menu leads to its screen', async ({ member }) => {
  await member.goto('/dashboard');
  for (const [entry, path] of [
    ['Linked Accounts', /\/linked-accounts$/],
    ['Privacy / T&Cs', /\/terms$/],
    ['Support', /\/support$/],
    ['Dashboard', /\/dashboard$/],
  ] as const) {
    await member.getByRole('button', { name: 'Menu', exact: true }).click();
    await member.getByRole('link', { name: entry, exact: true }).click();
    await expect(member).toHaveURL(path);
  }
  await member.goto('/support');
  await expect(member.frameLocator('iframe').getByRole('heading').first()).toBeVisible();
});
