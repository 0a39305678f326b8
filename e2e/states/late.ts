import type { Page } from '@playwright/test';
import * as contract from '@sparechange/contract';
import { answers, holds, refuses, saves } from '../mock-api.ts';
import { linkedSavings, savingsForm } from './accounts.ts';
import { nextDebit, openNextDebit, untilJanuary } from './dashboard.ts';
import { newPassword } from './entry.ts';
import { fillIn, member, press, reads, type Screens, type Step, shows, switchOver, visitor } from './state.ts';

/** A press whose call fails, and its message. */
const failing = (operation: contract.Operation, ...steps: Step[]) =>
  member(refuses(operation), ...steps, shows('alert'));

/** A setting without a message, which returns to the server's value. */
const goesBack = (operation: contract.Operation, setting: string) =>
  member(refuses(operation), '/dashboard', async (page) => {
    const answer = page.waitForResponse((response) => response.url().endsWith(operation.path));
    await switchOver(`${setting} Off`)(page);
    await answer; // until it is let through the switch is on
    await shows('switch', `${setting} Off`)(page);
  });

const chooses = (label: string) => (page: Page) => page.getByText(label, { exact: true }).click();
const opened = (...prepared: Step[]): Step[] => [...openNextDebit({}, ...prepared), reads('Taken from')];

async function confirmPause(page: Page): Promise<void> {
  const saved = page.waitForResponse(/set-pause$/);
  await press('Confirm')(page);
  await (await saved).finished();
}

/** The link is read; the password is not taken. */
const keepsPassword = (page: Page) =>
  page.route(/accounts:resetPassword/, (route) => {
    const sets = route.request().postData()?.includes('newPassword');
    const known = { email: 'mira@example.com', requestType: 'PASSWORD_RESET' };
    return sets ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: known });
  });

/** Presses of interest only with a late answer. */
export const latePresses: Screens = {
  'reset password': {
    'not changed': visitor(
      keepsPassword,
      '/__/auth/action?mode=resetPassword&oobCode=a-code',
      newPassword,
      press('Submit'),
      shows('alert'),
    ),
  },
  'round-up accounts': { 'not saved': failing(contract.setRoundUpAccounts, '/roundup-accounts', press('Next')) },
  finished: { 'not saved': failing(contract.onboardingComplete, '/finished', press('Yes')) },
  dashboard: {
    paused: member(
      saves(contract.setPaused, { isUserPausedRoundUp: true, pausedUntil: '2027-01-15', nextDebit: null }),
      '/dashboard',
      switchOver('Round-Ups On'),
      untilJanuary,
      confirmPause,
      reads('Paused until Fri 15 Jan'),
    ),
    resumed: member(
      holds({ isUserPausedRoundUp: true, nextDebit: null }),
      saves(contract.setPaused, {
        isUserPausedRoundUp: false,
        nextDebit: { date: '2026-11-25', amountCents: 342 },
      }),
      '/dashboard',
      switchOver('Round-Ups Paused'),
      reads('Next debit Wed 25 Nov'),
    ),
    'limit goes back': goesBack(contract.setWeeklyLimit, 'Weekly Limit'),
    'savings go back': goesBack(contract.setSavingsAccount, 'Linked Savings Account'),
    'savings on': member(
      saves(contract.setSavingsAccount, { savingsAccountEnabled: true }),
      '/dashboard',
      switchOver('Linked Savings Account Off'),
      reads('Saved this year'),
    ),
  },
  'next debit': {
    'not skipped': failing(contract.setDebitSkipped, ...opened(), press('Skip this debit')),
    skipped: member(
      ...opened(
        answers(contract.setDebitSkipped, { nextDebit: { ...nextDebit, isSkipped: true, date: '2026-11-27' } }),
      ),
      press('Skip this debit'),
      reads('You are skipping Wed 25 Nov.'),
    ),
    'mails not chosen': failing(contract.setDebitNotices, ...opened(), chooses('Weekly')),
    'balance not guarded': failing(contract.setBalanceFloor, ...opened(), chooses('Off')),
  },
  'debit mails': {
    chosen: visitor(
      answers(contract.setDebitNoticesByLink, {}),
      '/debit-mails/token',
      chooses('Never'),
      press('Save'),
      reads('Saved. On your dashboard'),
    ),
    'link not complete': visitor(
      '/debit-mails/token',
      chooses('Never'),
      press('Save'),
      reads('This link is not complete.'),
    ),
  },
  'advice mails': {
    chosen: visitor(
      answers(contract.setAdviceFrequencyByLink, { club: 'Riverside Rovers' }),
      '/advice-mails/token',
      chooses('Monthly'),
      press('Save'),
      reads('Saved. Nothing is left out'),
    ),
    'link not complete': visitor(
      '/advice-mails/token',
      chooses('Monthly'),
      press('Save'),
      reads('This link is not complete.'),
    ),
  },
  'linked accounts': {
    'not saved': failing(contract.updateRoundUpAccounts, '/linked-accounts', press('Submit')),
    'no way to the bank': failing(contract.manageConsent, '/linked-accounts', press('Manage Bank Connection')),
    'asked again': member(
      refuses(contract.accounts),
      '/linked-accounts',
      shows('button', 'Retry'),
      (page) => page.unrouteAll(),
      press('Retry'),
      shows('group', 'Round-Up Accounts'),
    ),
    'savings linked': member(
      answers(contract.submitSavingsAccount, {}),
      '/linked-accounts',
      press('Change Account'),
      fillIn(savingsForm),
      answers(contract.retrieveLinkedSavings, linkedSavings),
      press('Submit'),
      reads('M HALLORAN SAVER'),
    ),
  },
};
