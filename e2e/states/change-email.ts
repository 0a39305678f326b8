import type { Page } from '@playwright/test';
import { identityCall } from '../mock-api.ts';
import { member, press, type State, visitor } from './state.ts';

/** Fills a line of a phone, with nowhere to break. */
const newEmail = 'miraokonkwofairweatherofbeaconsfield@example.com';
const oldEmail = 'mira@example.com';

/** The identity service refuses a call in its own words. */
const identityRefuses = (page: Page, call: string, message: string) =>
  page.route(identityCall(call), (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message, errors: [] } } }),
  );

async function openAccount(page: Page): Promise<void> {
  await page.goto('/support');
  await press(page, 'Menu');
  await page.getByRole('button', { name: /, your account$/ }).click();
  await page.getByRole('dialog', { name: 'Your Account' }).waitFor();
}

async function openForm(page: Page): Promise<void> {
  await openAccount(page);
  await press(page, 'Change email address');
  await page.getByLabel('New email address').waitFor();
}

async function send(page: Page): Promise<void> {
  await page.getByLabel('New email address').fill(newEmail);
  await press(page, 'Send link');
}

/** Your Account and the form for another address. */
export const account: Record<string, State> = {
  menu: member(openAccount),
  'change email': member(openForm),
  'email taken': member(async (page) => {
    await identityRefuses(page, 'sendOobCode', 'EMAIL_EXISTS');
    await openForm(page);
    await send(page);
    await page.getByText('Another account has this email').waitFor();
  }),
  'email not sent': member(async (page) => {
    await page.route(identityCall('sendOobCode'), (route) => route.abort());
    await openForm(page);
    await send(page);
    await page.getByRole('dialog').getByRole('alert').waitFor();
  }),
  'email wants a recent sign-in': member(async (page) => {
    await identityRefuses(page, 'sendOobCode', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    await openForm(page);
    await send(page);
    await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
  }),
  'email sent': member(async (page) => {
    const kind = 'identitytoolkit#GetOobConfirmationCodeResponse';
    await page.route(identityCall('sendOobCode'), (route) => route.fulfill({ json: { kind, email: newEmail } }));
    await openForm(page);
    await send(page);
    await page.getByText('We have sent a link to').waitFor();
  }),
};

const change = { requestType: 'VERIFY_AND_CHANGE_EMAIL', email: oldEmail, newEmail };
const recovery = { requestType: 'RECOVER_EMAIL', email: oldEmail, newEmail };

async function openLink(page: Page, mode: string, known: object, then: object | string = {}): Promise<void> {
  await page.route(identityCall('resetPassword'), (route) => route.fulfill({ json: known }));
  if (typeof then === 'string') await identityRefuses(page, 'update', then);
  else await page.route(identityCall('update'), (route) => route.fulfill({ json: then }));
  await page.goto(`/__/auth/action?mode=${mode}&oobCode=a-code`);
}

/** Pages of the identity mails' links, but for password resets. */
export const emailActions: Record<string, State> = {
  'confirm new email': visitor(async (page) => {
    await openLink(page, 'verifyAndChangeEmail', change);
    await page.getByRole('button', { name: 'Confirm new address' }).waitFor();
  }),
  'new email confirmed': visitor(async (page) => {
    await openLink(page, 'verifyAndChangeEmail', change);
    await press(page, 'Confirm new address');
    await page.getByText('Your email address is now').waitFor();
  }),
  'new email taken': visitor(async (page) => {
    await openLink(page, 'verifyAndChangeEmail', change, 'EMAIL_EXISTS');
    await press(page, 'Confirm new address');
    await page.getByText('Another account has this email').waitFor();
  }),
  'new email link too old': visitor(async (page) => {
    await page.goto('/__/auth/action?mode=verifyAndChangeEmail&oobCode=a-code');
    await page.getByText('This link has been used').waitFor();
  }),
  'undo email change': visitor(async (page) => {
    await openLink(page, 'recoverEmail', recovery);
    await page.getByRole('button', { name: 'Undo the change' }).waitFor();
  }),
  'email change undone': visitor(async (page) => {
    await openLink(page, 'recoverEmail', recovery);
    await press(page, 'Undo the change');
    await page.getByText('Your email address is').waitFor();
  }),
  'undo link too old': visitor(async (page) => {
    await page.goto('/__/auth/action?mode=recoverEmail&oobCode=a-code');
    await page.getByText('This link has been used').waitFor();
  }),
  'link cannot be read': visitor(async (page) => {
    await page.route(identityCall('resetPassword'), (route) => route.abort());
    await page.goto('/__/auth/action?mode=verifyAndChangeEmail&oobCode=a-code');
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  }),
  'email confirmed': visitor(async (page) => {
    await openLink(page, 'verifyEmail', {});
    await page.getByText('Your email is confirmed').waitFor();
  }),
  'confirming link too old': visitor(async (page) => {
    await page.goto('/__/auth/action?mode=verifyEmail&oobCode=a-code');
    await page.getByText('This link has been used').waitFor();
  }),
};
