import type { Page } from '@playwright/test';
import { type ClubPage, confirmEmail, register, retrieveClubs } from '@sparechange/contract';
import { aborts, answers, hangs, identity, refuses } from '../mock-api.ts';
import { atTenant, fillIn, member, press, reads, type Step, shows, visitor } from './state.ts';

const stranger = fillIn({ Email: 'nobody@example.com', Password: 'not the password' });
const newcomer = {
  'First Name': 'Nadia',
  'Last Name': 'Okafor',
  Email: 'nadia.okafor@example.com',
  'Mobile Number': '0412345678',
  Password: 'correct horse battery',
  'Confirm Password': 'correct horse battery',
};
const fillInNewcomer = (page: Page) => fillIn({ ...newcomer, Email: `nadia.${Date.now()}@example.com` })(page);
const pickClub = (page: Page) => page.getByRole('list', { name: 'Clubs' }).getByRole('button').nth(3).click();
const followRegister = (page: Page) => page.getByRole('link', { name: 'Register', exact: true }).click();
const agree = (page: Page) => page.getByRole('checkbox', { name: 'I agree' }).check();
const openRegistration: Step[] = ['/clubs', pickClub, (page) => page.getByText(/^Supporting:/).waitFor()];
const registers = (fill: Step): Step[] => [...openRegistration, fill, agree, press('Register')];
const askForReset = (email: string): Step[] => [
  '/',
  press('Reset it'),
  (page) => page.getByRole('dialog').getByLabel('Email').fill(email),
  press('Submit'),
];
const refusedMobile = 'Mobile number must be 10 digits, no spaces';

const resetLink = '/__/auth/action?mode=resetPassword&oobCode=a-code';
const knownReset = identity('resetPassword', { email: 'mira@example.com', requestType: 'PASSWORD_RESET' });
export const newPassword = fillIn({ 'New Password': 'a wholly new one', 'Confirm Password': 'a wholly new one' });

/** Fills a phone's line without a place to break. */
const newEmail = 'miraokonkwofairweatherofbeaconsfield@example.com';
const email = 'mira@example.com';

const openAccount: Step[] = ['/support', press('Menu'), press(/, your account$/), shows('dialog', 'Your Account')];
const newAddress = (page: Page) => page.getByLabel('New email address');
const openForm: Step[] = [...openAccount, press('Change email address'), (page) => newAddress(page).waitFor()];
const sendLink: Step[] = [...openForm, (page) => newAddress(page).fill(newEmail), press('Send link')];

const opensLink = (mode: string, known: object, then: object | string = {}): Step[] => [
  identity('resetPassword', known),
  identity('update', then),
  `/__/auth/action?mode=${mode}&oobCode=a-code`,
];
const change = (then?: string) =>
  opensLink('verifyAndChangeEmail', { requestType: 'VERIFY_AND_CHANGE_EMAIL', email, newEmail }, then);
const recovery = opensLink('recoverEmail', { requestType: 'RECOVER_EMAIL', email, newEmail });
const tooOld = (mode: string) =>
  visitor(`/__/auth/action?mode=${mode}&oobCode=a-code`, reads('This link has been used'));

/** Gives a club's page these figures, in the browser alone. */
const withFigures = (path: string, figures: ClubPage['figures']) => (page: Page) =>
  page.route(`**${path}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replaceAll('"figures":null', `"figures":${JSON.stringify(figures)}`)
      .replace(/<div id="root">[\s\S]*<\/div>(?=\s*<noscript>)/, '<div id="root"></div>');
    await route.fulfill({ response: answer, body });
  });

/** Screens before signing in, and the pages of the identity emails' links. */
export const entry = {
  login: {
    form: visitor('/'),
    submitting: visitor(hangs(/accounts:signInWithPassword/), '/', stranger, press('Login')),
    failed: visitor('/', stranger, press('Login')),
    'forgot password': visitor('/', press('Reset it')),
    'reset failed': visitor(aborts(/accounts:sendOobCode/), ...askForReset('nobody@example.com')),
    'unknown club in the address': visitor('/no-such-club'),
    'unknown tenant': visitor(atTenant('no-such-tenant', '/'), reads("Your organisation's page could not be loaded")),
    'reset sent': visitor(...askForReset('nobody@example.com'), reads('If we know that address')),
  },
  landing: {
    'page of a club': visitor('/tidewater-surf', reads('Who runs this')),
    'page of a club without a logo': visitor('/wattle-creek-fc', reads('Wattle Creek · Football')),
    'page of a club with a goal': visitor(
      withFigures('/tidewater-surf', { raisedDollars: 12_400, supporters: 214, goalDollars: 20_000 }),
      '/tidewater-surf',
      reads('of our goal of'),
    ),
    'page of a brand': visitor(atTenant('harbour-hounds', '/'), reads('Balmain · Animal rescue')),
    'page of a parent club': visitor(atTenant('bush-league', '/'), reads('Ballarat · Football')),
    'page of an ended brand': visitor(atTenant('ended', '/'), reads(/^This campaign has ended\./)),
    'ended club in the address': visitor('/winter-appeal', shows('heading', 'This campaign has ended')),
    'club at the host of another': visitor(atTenant('aca', '/night-kitchen'), shows('heading', 'Night Kitchen')),
  },
  clubs: {
    list: visitor('/clubs', (page) => page.locator('input:enabled').waitFor()),
    'unknown club in the address': visitor('/clubs/no-such-club'),
    'list failed': visitor(refuses(retrieveClubs), '/', followRegister, reads("We couldn't load the clubs.")),
    'none of that name': visitor('/clubs', shows('list', 'Clubs'), (page) =>
      page.getByPlaceholder('Search for a club here...').fill('zzz'),
    ),
    'ended campaign': visitor(atTenant('ended', '/clubs'), shows('heading', 'This campaign has ended')),
    'signed in': member('/clubs', reads('You are registered and signed in.')),
    'of a parent club': visitor(atTenant('bush-league', '/clubs'), shows('list', 'Clubs')),
  },
  registration: {
    form: visitor(...openRegistration),
    empty: visitor(...openRegistration, press('Register')),
    malformed: visitor(
      ...openRegistration,
      fillIn({ Email: 'nadia', 'Mobile Number': '0412 345', Password: 'short', 'Confirm Password': 'other' }),
      press('Register'),
    ),
    submitting: visitor(hangs(/accounts:signUp/), ...registers(fillIn(newcomer))),
    failed: visitor(refuses(register), ...registers(fillInNewcomer)),
    'mobile refused by the server': visitor(
      refuses(register, 400, 'invalid-input', { mobile: refusedMobile }),
      ...registers(fillInNewcomer),
      reads(refusedMobile),
    ),
  },
  'reset password': {
    form: visitor(knownReset, resetLink, (page) => page.getByLabel('New Password').waitFor()),
    changed: visitor(knownReset, resetLink, newPassword, press('Submit'), reads('Your password has been changed.')),
    'link too old': tooOld('resetPassword'),
  },
  account: {
    menu: member(...openAccount),
    'change email': member(...openForm),
    'email taken': member(
      identity('sendOobCode', 'EMAIL_EXISTS'),
      ...sendLink,
      reads('Another account has this email'),
    ),
    'email not sent': member(aborts(/accounts:sendOobCode/), ...sendLink, (page) =>
      page.getByRole('dialog').getByRole('alert').waitFor(),
    ),
    'email wants a recent sign-in': member(
      identity('sendOobCode', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'),
      ...sendLink,
      shows('dialog', 'Confirm it is you'),
    ),
    'email sent': member(
      identity('sendOobCode', { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email: newEmail }),
      ...sendLink,
      reads('We have sent a link to'),
    ),
  },
  'email actions': {
    'confirm new email': visitor(...change(), shows('button', 'Confirm new address')),
    'new email confirmed': visitor(...change(), press('Confirm new address'), reads('Your email address is now')),
    'new email taken': visitor(
      ...change('EMAIL_EXISTS'),
      press('Confirm new address'),
      reads('Another account has this email'),
    ),
    'new email link too old': tooOld('verifyAndChangeEmail'),
    'undo email change': visitor(...recovery, shows('button', 'Undo the change')),
    'email change undone': visitor(...recovery, press('Undo the change'), reads('Your email address is')),
    'undo link too old': tooOld('recoverEmail'),
    'link cannot be read': visitor(
      aborts(/accounts:resetPassword/),
      '/__/auth/action?mode=verifyAndChangeEmail&oobCode=a-code',
      shows('button', 'Retry'),
    ),
    'email confirmed': visitor(...opensLink('verifyEmail', {}), reads('Your email is confirmed')),
    'confirming link too old': tooOld('verifyEmail'),
  },
  'confirm email': {
    confirmed: visitor(
      answers(confirmEmail, {}),
      '/confirm-email/mira%40example.com?token=signed',
      reads('Your email is confirmed'),
    ),
    'link not ours': visitor('/confirm-email/mira%40example.com?token=1.x', reads('This link is not complete')),
  },
  'not found': { page: visitor('/no/such/page', shows('heading', "We can't find that page")) },
};
