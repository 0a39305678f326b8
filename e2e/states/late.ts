import type { Page } from '@playwright/test';
import * as contract from '@sparechange/contract';
import { answers, holds, identityCall, refuses, saves } from '../mock-api.ts';
import type { KnownState } from './all.ts';
import { nextDebit } from './next-debit.ts';
import { fillIn, member, press, type State, visitor } from './state.ts';

const isRefused = (page: Page) => page.getByRole('alert').waitFor();
const switchOver = (page: Page, name: string) => page.getByRole('switch', { name, exact: true }).click();
const isSwitched = (page: Page, name: string) => page.getByRole('switch', { name, exact: true }).waitFor();

/** A press whose call fails, and what says so. */
const failing = (path: string, operation: contract.Operation, then: (page: Page) => Promise<unknown>): State =>
  member(async (page) => {
    await refuses(page, operation);
    await page.goto(path);
    await then(page);
    await isRefused(page);
  });

/** A setting without message, which returns to the server's value. */
const goesBack = (operation: contract.Operation, setting: string): State =>
  member(async (page) => {
    await refuses(page, operation);
    await page.goto('/dashboard');
    const answer = page.waitForResponse((response) => response.url().endsWith(operation.path));
    await switchOver(page, `${setting} Off`);
    await answer; // until it is let through the switch is on
    await isSwitched(page, `${setting} Off`);
  });

const inNextDebit = (prepare: (page: Page) => Promise<unknown>, then: (page: Page) => Promise<unknown>): State =>
  member(async (page) => {
    await holds(page, { nextDebit: { date: '2026-11-25', amountCents: 342 } });
    await answers(page, contract.retrieveNextDebit, { nextDebit });
    await prepare(page);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /^Next debit/ }).click();
    await page.getByText('Taken from').waitFor();
    await then(page);
  });

const noticesByLink = (prepare: (page: Page) => Promise<unknown>, outcome: string): State =>
  visitor(async (page) => {
    await prepare(page);
    await page.goto('/debit-mails/token');
    await press(page, 'Stop these mails');
    await page.getByText(outcome).waitFor();
  });

const states: Record<string, Record<string, State>> = {
  'reset password': {
    'not changed': visitor(async (page) => {
      const known = { email: 'mira@example.com', requestType: 'PASSWORD_RESET' };
      await page.route(identityCall('resetPassword'), (route) => {
        const sets = route.request().postData()?.includes('newPassword');
        return sets ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: known });
      });
      await page.goto('/__/auth/action?mode=resetPassword&oobCode=a-code');
      await fillIn(page, { 'New Password': 'a wholly new one', 'Confirm Password': 'a wholly new one' });
      await press(page, 'Submit');
      await isRefused(page);
    }),
  },
  'round-up accounts': {
    'not saved': failing('/roundup-accounts', contract.setRoundUpAccounts, (page) => press(page, 'Next')),
  },
  finished: { 'not saved': failing('/finished', contract.onboardingComplete, (page) => press(page, 'Yes')) },
  dashboard: {
    paused: member(async (page) => {
      const pausedUntil = '2027-01-15';
      await saves(page, contract.setPaused, { isUserPausedRoundUp: true, pausedUntil, nextDebit: null });
      await page.goto('/dashboard');
      await switchOver(page, 'Round-Ups On');
      await page.getByLabel('Pause until').fill(pausedUntil);
      const saved = page.waitForResponse(/set-pause$/);
      await press(page, 'Confirm');
      await (await saved).finished();
      await page.getByText('Paused until Fri 15 Jan').waitFor();
    }),
    resumed: member(async (page) => {
      await holds(page, { isUserPausedRoundUp: true, nextDebit: null });
      const resumed = { isUserPausedRoundUp: false, nextDebit: { date: '2026-11-25', amountCents: 342 } };
      await saves(page, contract.setPaused, resumed);
      await page.goto('/dashboard');
      await switchOver(page, 'Round-Ups Paused');
      await page.getByText('Next debit Wed 25 Nov').waitFor();
    }),
    'limit goes back': goesBack(contract.setWeeklyLimit, 'Weekly Limit'),
    'savings go back': goesBack(contract.setSavingsAccount, 'Linked Savings Account'),
    'savings on': member(async (page) => {
      await saves(page, contract.setSavingsAccount, { savingsAccountEnabled: true });
      await page.goto('/dashboard');
      await switchOver(page, 'Linked Savings Account Off');
      await page.getByText('Saved this year').waitFor();
    }),
  },
  'next debit': {
    'not skipped': inNextDebit(
      (page) => refuses(page, contract.setDebitSkipped),
      async (page) => {
        await press(page, 'Skip this debit');
        await isRefused(page);
      },
    ),
    skipped: inNextDebit(
      (page) =>
        answers(page, contract.setDebitSkipped, { nextDebit: { ...nextDebit, isSkipped: true, date: '2026-11-27' } }),
      async (page) => {
        await press(page, 'Skip this debit');
        await page.getByText('You are skipping Wed 25 Nov.').waitFor();
      },
    ),
    'mails not stopped': inNextDebit(
      (page) => refuses(page, contract.setDebitNotices),
      async (page) => {
        await switchOver(page, 'Mail me the evening before');
        await isRefused(page);
      },
    ),
    'balance not guarded': inNextDebit(
      (page) => refuses(page, contract.setBalanceFloor),
      async (page) => {
        await page.getByText('Off', { exact: true }).click();
        await isRefused(page);
      },
    ),
  },
  'debit mails': {
    stopped: noticesByLink((page) => answers(page, contract.stopDebitNotices, {}), 'You get no more of these mails.'),
    'link not complete': noticesByLink(async () => undefined, 'This link is not complete.'),
  },
  'linked accounts': {
    'not saved': failing('/linked-accounts', contract.updateRoundUpAccounts, (page) => press(page, 'Submit')),
    'no way to the bank': failing('/linked-accounts', contract.manageConsent, (page) =>
      press(page, 'Manage Bank Connection'),
    ),
    'asked again': member(async (page) => {
      await refuses(page, contract.accounts);
      await page.goto('/linked-accounts');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
      await page.unrouteAll();
      await press(page, 'Retry');
      await page.getByRole('group', { name: 'Round-Up Accounts' }).waitFor();
    }),
    'savings linked': member(async (page) => {
      await answers(page, contract.submitSavingsAccount, {});
      await page.goto('/linked-accounts');
      await press(page, 'Change Account');
      await fillIn(page, { 'Account Name': 'M Halloran', BSB: '062001', 'Account Number': '12345678' });
      const document = { accountName: 'M HALLORAN SAVER', accountNumber: 'XXXX7741' };
      await answers(page, contract.retrieveLinkedSavings, { savingsAccount: { document } });
      await press(page, 'Submit');
      await page.getByText('M HALLORAN SAVER').waitFor();
    }),
  },
};

/** Presses that only a late answer makes worth looking at. */
export const latePresses: KnownState[] = Object.entries(states).flatMap(([screen, named]) =>
  Object.entries(named).map(([name, state]) => ({ screen, name, state, words: [] })),
);
