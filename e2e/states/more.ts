import * as contract from '@sparechange/contract';
import { identityCall, refuses } from '../server-says.ts';
import { tenantHome } from '../supporter.ts';
import { bankDataDeleted, historyLoading, lineStates, receiptStates } from './accounts.ts';
import { dashboardLoading } from './dashboard.ts';
import { nextDebits } from './next-debit.ts';
import { type State, visitor } from './state.ts';

const resetLink = '/__/auth/action?mode=resetPassword&oobCode=a-code';

/** States for which the specification has no words of its own. */
export const more: Record<string, Record<string, State>> = {
  dashboard: { loading: dashboardLoading },
  'next debit': nextDebits,
  history: { loading: historyLoading, 'bank data deleted': bankDataDeleted, ...lineStates, ...receiptStates },
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
    'link too old': visitor(async (page) => {
      await page.goto(resetLink);
      await page.getByText('This link has been used').waitFor();
    }),
  },
  'not found': {
    page: visitor(async (page) => {
      await page.goto('/no/such/page');
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    }),
  },
};
