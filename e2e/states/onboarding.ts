import type { Page } from '@playwright/test';
import { accounts, checkJob, findJobs, registerFunding, retrieveAccounts } from '@sparechange/contract';
import { answers, holds, keepsWaiting, refuses } from '../mock-api.ts';
import type { Supporter } from '../supporter.ts';
import { fillIn, member, press, type States, staysShown, visitor, waitsLittle } from './state.ts';

const connecting = '/consented?jobId=a-job';
const noAccounts = { accountsData: { documents: [] } };

async function toFunding(page: Page): Promise<void> {
  await page.goto('/roundup-accounts');
  await press(page, 'Next');
  await page.getByRole('heading', { name: 'Funding Account' }).waitFor();
}

async function confirmAccount(page: Page, { email, password }: Supporter): Promise<void> {
  await page.goto('/verify');
  await fillIn(page, { Email: email, Password: password });
  await press(page, 'Verify');
}

/** From the bank to "Thankyou". */
export const onboarding: States<
  'launch consent' | 'bank connection' | 'confirmed' | 'verify' | 'round-up accounts' | 'funding account' | 'finished'
> = {
  'launch consent': { start: member((page) => page.goto('/launch-consent')) },
  'bank connection': {
    start: member(async (page) => {
      await keepsWaiting(page, checkJob);
      await page.goto(connecting);
    }),
    'no job': member(async (page) => {
      await keepsWaiting(page, findJobs);
      await page.goto('/consented');
    }),
    'job found': member(async (page) => {
      await answers(page, findJobs, { jobId: 'a-job' });
      await keepsWaiting(page, checkJob);
      await page.goto('/consented');
    }),
    pending: member(async (page) => {
      await answers(page, checkJob, { status: 202 }, 202);
      await page.goto(connecting);
    }),
    done: member(async (page) => {
      await answers(page, checkJob, { status: 200 });
      await keepsWaiting(page, retrieveAccounts);
      await page.goto(connecting);
    }),
    retrieved: member(async (page) => {
      await staysShown(page);
      await answers(page, checkJob, { status: 200 });
      await answers(page, retrieveAccounts, { status: 200 });
      await page.goto(connecting);
    }),
    'retries exhausted': member(async (page) => {
      await waitsLittle(page);
      await answers(page, checkJob, { status: 202 }, 202);
      await refuses(page, retrieveAccounts);
      await page.goto(connecting);
    }),
    error: member(async (page) => {
      await refuses(page, checkJob, 409, 'conflict');
      await page.goto(connecting);
    }),
    'signed out': visitor((page) => page.goto(connecting)),
  },
  confirmed: {
    error: member(async (page) => {
      await refuses(page, findJobs, 409, 'conflict');
      await page.goto('/confirmed');
    }),
  },
  verify: {
    form: visitor((page) => page.goto('/verify')),
    failed: visitor(async (page, supporter) => confirmAccount(page, { ...supporter, password: 'not the password' })),
    'forgot password': visitor(async (page) => {
      await page.goto('/verify');
      await press(page, 'Reset it');
    }),
    'club without a home': visitor(async (page, supporter) => {
      await staysShown(page);
      await holds(page, { supportingClubId: 'a-club-without-a-home' });
      await confirmAccount(page, supporter);
    }),
    'no club': visitor(async (page, supporter) => {
      await staysShown(page);
      await holds(page, { supportingClubId: '' });
      await confirmAccount(page, supporter);
    }),
  },
  'round-up accounts': {
    choice: member((page) => page.goto('/roundup-accounts')),
    'no accounts': member(async (page) => {
      await answers(page, accounts, noAccounts);
      await page.goto('/roundup-accounts');
    }),
  },
  'funding account': {
    choice: member(toFunding),
    failed: member(async (page) => {
      await refuses(page, registerFunding);
      await toFunding(page);
      await press(page, 'CONTINUE');
    }),
    'no accounts': member(async (page) => {
      await staysShown(page);
      await page.goto('/funding-accounts');
    }),
  },
  finished: { question: member((page) => page.goto('/finished')) },
};
