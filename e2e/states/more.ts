import * as contract from '@sparechange/contract';
import { answers, holds, identityCall, keepsWaiting, refuses } from '../mock-api.ts';
import { tenantHome } from '../supporter.ts';
import { bankDataDeleted, consentStates, endsSoon, historyLoading, lineStates, receiptStates } from './accounts.ts';
import { account, emailActions } from './change-email.ts';
import {
  accountMissing,
  dashboardLoading,
  mandateCancelled,
  noAccountToDebit,
  onHold,
  weeklyOutlooks,
} from './dashboard.ts';
import { registerAs } from './entry.ts';
import { mailedLinks, nextDebits, pausesUntil } from './next-debit.ts';
import { leaving } from './offboarding.ts';
import { renewals } from './renewal.ts';
import { fillIn, member, press, type State, visitor } from './state.ts';

const resetLink = '/__/auth/action?mode=resetPassword&oobCode=a-code';

const refusedSavings = {
  savingsAccount: {
    document: { accountName: 'M HALLORAN SAVER', accountNumber: 'XXXX7741', problem: 'account_refused' as const },
  },
};

/** States for which the specification has no words. */
export const more: Record<string, Record<string, State>> = {
  dashboard: {
    'on its way': member(async (page) => {
      await page.route('**/assets/member-*.js', () => undefined);
      await page.goto('/dashboard');
      await page.getByRole('heading', { name: 'Loading...' }).waitFor();
    }),
    loading: dashboardLoading,
    'bank stops sharing soon': member(async (page) => {
      await holds(page, { consentHealth: { ...endsSoon, state: 'bank ends soon', endsOn: '2027-11-25' } });
      await page.goto('/dashboard');
      await page.getByText('Your bank stops sharing soon.').waitFor();
    }),
    'no account to debit': noAccountToDebit,
    'mandate cancelled': mandateCancelled,
    'on hold': onHold,
    'account missing': accountMissing,
    'consent ends soon': member(async (page) => {
      await holds(page, { consentHealth: endsSoon });
      await page.goto('/dashboard');
      await page.getByText('Your bank connection ends soon.').waitFor();
    }),
    'nothing saved yet': member(async (page) => {
      await holds(page, { savingsAccountEnabled: true });
      await answers(page, contract.retrieveSavingsSplit, { clubCents: 0, savingsCents: 0, nextDeposit: null });
      await page.goto('/dashboard');
      await page.getByText('Saved this year').waitFor();
    }),
    'savings account refused': member(async (page) => {
      await holds(page, { savingsAccountEnabled: true });
      await answers(page, contract.retrieveLinkedSavings, refusedSavings);
      const split = { clubCents: 12_847, savingsCents: 9310, nextDeposit: null, waitingCents: 921 };
      await answers(page, contract.retrieveSavingsSplit, split);
      await page.goto('/dashboard');
      await page.getByText('Set aside for you').waitFor();
    }),
    'cannot be shown': member(async (page) => {
      await page.route('**/assets/member-*.js', (route) => route.abort());
      await page.goto('/dashboard');
      await page.getByText('This page could not be shown').waitFor();
    }),
    ...weeklyOutlooks,
  },
  donation: {
    submitting: member(async (page) => {
      await keepsWaiting(page, contract.donateNow);
      await page.goto('/dashboard');
      await press(page, 'Donate Now');
      await page.getByLabel('Amount').fill('25');
      await press(page, 'Submit');
    }),
  },
  renewal: renewals,
  'next debit': nextDebits,
  'mailed links': mailedLinks,
  'paused until': pausesUntil,
  'your data': leaving,
  history: { loading: historyLoading, 'bank data deleted': bankDataDeleted, ...lineStates, ...receiptStates },
  'linked accounts': {
    'savings account refused': member(async (page) => {
      await answers(page, contract.retrieveLinkedSavings, refusedSavings);
      await page.goto('/linked-accounts');
      await page.getByText('The bank did not take our deposit').waitFor();
    }),
    ...consentStates,
    loading: member(async (page) => {
      await keepsWaiting(page, contract.accounts);
      await page.goto('/linked-accounts');
      await page.getByRole('heading', { name: 'Linked Accounts' }).waitFor();
    }),
    saved: member(async (page) => {
      await answers(page, contract.updateRoundUpAccounts, { results: [] });
      await page.goto('/linked-accounts');
      await press(page, 'Submit');
      await page.getByText('Saved').waitFor();
    }),
    'no bank accounts': member(async (page) => {
      await answers(page, contract.accounts, { accountsData: { documents: [] } });
      await page.goto('/linked-accounts');
      await page.getByText('No bank accounts are linked.').waitFor();
    }),
  },
  'round-up accounts': {
    'none chosen': member(async (page) => {
      await page.goto('/roundup-accounts');
      await page.getByRole('checkbox').first().waitFor();
      for (const box of await page.getByRole('checkbox', { checked: true }).all()) await box.uncheck();
      await press(page, 'Next');
      await page.getByText('Select at least one account').waitFor();
    }),
  },
  registration: {
    'mobile refused by the server': visitor(async (page) => {
      const refusal = 'Mobile number must be 10 digits, no spaces';
      await refuses(page, contract.register, 400, 'invalid-input', { mobile: refusal });
      await registerAs(page, `nadia.${Date.now()}@example.com`);
      await page.getByText(refusal).waitFor();
    }),
  },
  clubs: {
    'list failed': visitor(async (page) => {
      await refuses(page, contract.retrieveClubs);
      await page.goto('/clubs');
      await page.getByText('No clubs to show just now.').waitFor();
    }),
    'none of that name': visitor(async (page) => {
      await page.goto('/clubs');
      await page.getByRole('list', { name: 'Clubs' }).waitFor();
      await page.getByPlaceholder('Search for a club here...').fill('zzz');
    }),
    'ended campaign': visitor(async (page) => {
      await page.goto(`${tenantHome('ended')}/clubs`);
      await page.getByRole('heading', { name: 'This campaign has ended' }).waitFor();
    }),
    'of a parent club': visitor(async (page) => {
      await page.goto(`${tenantHome('bush-league')}/clubs`);
      await page.getByRole('list', { name: 'Clubs' }).waitFor();
    }),
  },
  login: {
    'unknown tenant': visitor(async (page) => {
      await page.goto(`${tenantHome('no-such-tenant')}/`);
      await page.getByText("Your organisation's page could not be loaded").waitFor();
    }),
    'reset sent': visitor(async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Reset it' }).click();
      await page.getByRole('dialog').getByLabel('Email').fill('nobody@example.com');
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('If we know that address').waitFor();
    }),
  },
  'reset password': {
    form: visitor(async (page) => {
      const known = { email: 'mira@example.com', requestType: 'PASSWORD_RESET' };
      await page.route(identityCall('resetPassword'), (route) => route.fulfill({ json: known }));
      await page.goto(resetLink);
      await page.getByLabel('New Password').waitFor();
    }),
    changed: visitor(async (page) => {
      const known = { email: 'mira@example.com', requestType: 'PASSWORD_RESET' };
      await page.route(identityCall('resetPassword'), (route) => route.fulfill({ json: known }));
      await page.goto(resetLink);
      await fillIn(page, { 'New Password': 'a wholly new one', 'Confirm Password': 'a wholly new one' });
      await press(page, 'Submit');
      await page.getByText('Your password has been changed.').waitFor();
    }),
    'link too old': visitor(async (page) => {
      await page.goto(resetLink);
      await page.getByText('This link has been used').waitFor();
    }),
  },
  account,
  'email actions': emailActions,
  'confirm email': {
    confirmed: visitor(async (page) => {
      await answers(page, contract.confirmEmail, {});
      await page.goto('/confirm-email/mira%40example.com?token=signed');
      await page.getByText('Your email is confirmed').waitFor();
    }),
    'link not ours': visitor(async (page) => {
      await page.goto('/confirm-email/mira%40example.com?token=1.x');
      await page.getByText('This link is not complete').waitFor();
    }),
  },
  'not found': {
    page: visitor(async (page) => {
      await page.goto('/no/such/page');
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    }),
  },
};
