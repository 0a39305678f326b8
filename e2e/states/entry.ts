import type { Page } from '@playwright/test';
import { register } from '@sparechange/contract';
import { identityCall, refuses } from '../mock-api.ts';
import { fillIn, press, type States, visitor } from './state.ts';

const stranger = { Email: 'nobody@example.com', Password: 'not the password' };
const newcomer = {
  'First Name': 'Nadia',
  'Last Name': 'Okafor',
  Email: 'nadia.okafor@example.com',
  'Mobile Number': '0412345678',
  Password: 'correct horse battery',
  'Confirm Password': 'correct horse battery',
};

async function openRegistration(page: Page): Promise<void> {
  await page.goto('/clubs');
  await page.getByRole('list', { name: 'Clubs' }).getByRole('button').nth(3).click();
  await page.getByText(/^Supporting:/).waitFor();
}

/** Fills in the whole form and presses Register. */
export async function registerAs(page: Page, email: string): Promise<void> {
  await openRegistration(page);
  await fillIn(page, { ...newcomer, Email: email });
  await page.getByRole('checkbox', { name: 'I agree' }).check();
  await press(page, 'Register');
}

/** Login, club selection and registration. */
export const entry: States<'login' | 'clubs' | 'registration'> = {
  login: {
    form: visitor((page) => page.goto('/')),
    submitting: visitor(async (page) => {
      await page.route(identityCall('signInWithPassword'), () => undefined);
      await page.goto('/');
      await fillIn(page, stranger);
      await press(page, 'Login');
    }),
    failed: visitor(async (page) => {
      await page.goto('/');
      await fillIn(page, stranger);
      await press(page, 'Login');
    }),
    'forgot password': visitor(async (page) => {
      await page.goto('/');
      await press(page, 'Reset it');
    }),
    'reset failed': visitor(async (page) => {
      await page.route(identityCall('sendOobCode'), (route) => route.abort());
      await page.goto('/');
      await press(page, 'Reset it');
      await page.getByRole('dialog').getByLabel('Email').fill(stranger.Email);
      await press(page, 'Submit');
    }),
    'unknown club in the address': visitor((page) => page.goto('/no-such-club')),
  },
  clubs: {
    list: visitor((page) => page.goto('/clubs')),
    'unknown club in the address': visitor((page) => page.goto('/clubs/no-such-club')),
  },
  registration: {
    form: visitor(openRegistration),
    empty: visitor(async (page) => {
      await openRegistration(page);
      await press(page, 'Register');
    }),
    malformed: visitor(async (page) => {
      await openRegistration(page);
      await fillIn(page, {
        Email: 'nadia',
        'Mobile Number': '0412 345',
        Password: 'short',
        'Confirm Password': 'other',
      });
      await press(page, 'Register');
    }),
    submitting: visitor(async (page) => {
      await page.route(identityCall('signUp'), () => undefined);
      await registerAs(page, newcomer.Email);
    }),
    failed: visitor(async (page) => {
      await refuses(page, register);
      await registerAs(page, `nadia.${Date.now()}@example.com`);
    }),
  },
};
