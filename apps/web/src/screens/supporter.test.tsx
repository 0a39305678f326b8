import {
  debitsAllTime,
  endEverySession,
  endSession,
  accounts as listAccounts,
  retrieveHistory,
  retrieveLine,
  retrieveLinkedSavings,
  submitSavingsAccount,
  updateFundingAccount,
  updateRoundUpAccounts,
} from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { readStored } from '#api/stored.ts';
import { signOut, uid } from '../testing/fake-session.ts';
import { logsAnError } from '../testing/logged.ts';
import { aGift, aLine, aRoundUp, bills, cdrid, everyday } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

test('history lists round-ups newest first, in the words of the specification', async () => {
  server.use(
    answer(retrieveHistory, {
      bankDataDeletedOn: null,
      debits: [aGift()],
      roundUphistory: [
        aRoundUp({ lineId: 'a', given: { on: '2026-11-04', clubCents: 33 } }),
        aRoundUp({
          lineId: 'c',
          createdDate: '2026-11-17',
          description: 'GROUND UP COFFEE',
          amount: '3.79',
          debitAmountCents: 21,
          state: 'waiting',
          given: null,
        }),
        aRoundUp({
          lineId: 'b',
          createdDate: '2026-11-18',
          description: 'x'.repeat(60),
          amount: '12.00',
          debitAmountCents: 0,
          why: 'exact amount',
          state: 'none',
          given: null,
        }),
      ],
    }),
  );
  const user = visit('/history', { isSignedIn: true });
  expect(await screen.findByText('$312.90')).toBeVisible();
  await screen.findByText('THE LITTLE MARIONETTE');
  expect(screen.getByText('Waiting:')).toHaveTextContent('Waiting: $0.21');
  const cellsOf = () =>
    screen.getAllByRole('row').map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.textContent?.trim()),
    );
  const month = screen.getByRole('rowheader', { name: 'November 2026' });
  expect(month.closest('tr')).toHaveTextContent('November 2026$20.33');
  const notYet = screen.getByRole('rowheader', { name: 'Not debited yet' });
  expect(notYet.closest('tr')).toHaveTextContent('Not debited yet$0.21');
  const coffee = ['17-Nov-26', 'Ground Up Coffee GROUND UP COFFEE Waiting', '$3.79', '$0.21'];
  const marionette = ['3-Nov-26', 'The Little Marionette THE LITTLE MARIONETTE Debited', '$4.35', '$0.65 club $0.33'];
  const gift = ['6-Nov-26', 'One-off donation  Debited', '', '$20.00'];
  const ofMonth = ['$20.33'];
  expect(cellsOf().slice(2)).toEqual([coffee, ofMonth, gift, marionette]);
  await user.click(screen.getByRole('checkbox', { name: "Show purchases that didn't count" }));
  const long = `${'X'.repeat(50)}... ${'x'.repeat(50)}... Nothing to round up`;
  expect(cellsOf().slice(2)).toEqual([coffee, ofMonth, ['18-Nov-26', long, '$12.00', '$0.00'], gift, marionette]);
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ground');
  expect(cellsOf().slice(2)).toEqual([coffee]);
  await user.clear(screen.getByRole('searchbox', { name: 'Search' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), '20');
  expect(cellsOf().slice(2)).toEqual([gift]);
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), ' floor');
  expect(screen.getByText('No purchases match.')).toBeVisible();
});

test.each([
  ['still being debited', { debitAllTime: 31290, inFlightCents: 65 }, '$0.65 on its way'],
  ['all cleared', { debitAllTime: 31290 }, 'All received'],
  ['nothing yet', { debitAllTime: 0 }, 'Nothing debited yet'],
])('the total shows the amount the bank has not confirmed: %s', async (_, total, words) => {
  server.use(
    answer(debitsAllTime, total),
    answer(retrieveHistory, { bankDataDeletedOn: null, debits: [], roundUphistory: [] }),
  );
  visit('/history', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Total' });
  expect(await within(card).findByText(words)).toBeVisible();
});

test('a line explains both its smaller amount and its outcome', async () => {
  server.use(
    answer(retrieveHistory, {
      bankDataDeletedOn: null,
      debits: [],
      roundUphistory: [aRoundUp({ why: 'over the weekly limit', state: 'submitted' })],
    }),
  );
  visit('/history', { isSignedIn: true });
  const cell = (await screen.findByText('Limit reached')).closest('td');
  expect(cell).toHaveTextContent('The Little Marionette THE LITTLE MARIONETTE Limit reachedBeing debited');
});

test('a line of the history opens its trace', async () => {
  const why = 'over the weekly limit';
  server.use(
    answer(retrieveHistory, {
      bankDataDeletedOn: null,
      debits: [],
      roundUphistory: [aRoundUp({ lineId: 'a', description: 'RIVERSIDE COFFEE', debitAmountCents: 20, why })],
    }),
    answer(retrieveLine, {
      line: aLine({
        why,
        rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 20 },
        shares: { club: 'Harbour Hounds', clubCents: 11, savingsCents: 9 },
      }),
    }),
  );
  const user = visit('/history', { isSignedIn: true });
  expect(await screen.findByText('Limit reached')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Riverside Coffee' }));
  const dialog = await screen.findByRole('dialog', { name: 'Every cent' });
  await within(dialog).findByText('$4.35 to the nearest $1 gives $0.65.');
  const steps = within(dialog)
    .getAllByRole('listitem')
    .map((step) => step.textContent);
  expect(steps).toEqual([
    'At your bank$4.35RIVERSIDE COFFEE17-Nov-26, Everyday',
    'Rounded up$0.20$4.35 to the nearest $1 gives $0.65.Your weekly limit of $10.00 was reached, so only $0.20 of this round-up counts.',
    'Wed 18 Nov$3.42Debit with your other round-ups: CompleteReference RU4F1CAt the payment provider PR.39p1',
    'Harbour Hounds$0.11Paid Mon 23 Nov: On its wayReference CL8A20',
    "Your savings$0.09Deposited with the next month's savings",
  ]);
  expect(callsOf(retrieveLine)[0]?.input).toEqual({ cdrid, lineId: 'a' });
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('changed round-up accounts are submitted', async () => {
  server.use(answer(updateRoundUpAccounts, ({ roundUpAccounts }) => ({ results: roundUpAccounts })));
  const user = visit('/linked-accounts', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Round-Up Accounts' });
  await user.click(within(card).getByRole('checkbox', { name: /Bills/ }));
  await user.click(within(card).getByRole('button', { name: 'Submit' }));
  await within(card).findByText('Saved');
  expect(callsOf(updateRoundUpAccounts)[0]?.input).toEqual({
    roundUpAccounts: [
      { accountId: everyday._id, activeRoundUpsEnabled: true },
      { accountId: bills._id, activeRoundUpsEnabled: true },
    ],
  });
});

test('round-up accounts whose answer was lost show what the server holds', async () => {
  logsAnError();
  let documents = [everyday, bills];
  server.use(
    answer(listAccounts, () => ({ accountsData: { documents } })),
    http.post(`*/api${updateRoundUpAccounts.path}`, () => {
      documents = [everyday, { ...bills, activeRoundUpsEnabled: true }];
      return HttpResponse.error();
    }),
  );
  const user = visit('/linked-accounts', { isSignedIn: true });
  const card = within(await screen.findByRole('region', { name: 'Round-Up Accounts' }));
  await user.click(card.getByRole('checkbox', { name: /Bills/ }));
  await user.click(card.getByRole('button', { name: 'Submit' }));
  expect(await card.findByText('Something went wrong, please try again')).toBeVisible();
  await waitFor(() => expect(card.getByRole('checkbox', { name: /Bills/ })).toBeChecked());
});

test('ticking a funding account saves immediately; a failure falls back and says so', async () => {
  server.use(refuse(updateFundingAccount, 503, 'provider-unavailable'));
  const user = visit('/linked-accounts', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Funding Account (Debits)' });
  await user.click(within(card).getByRole('checkbox', { name: /Bills/ }));
  expect(await within(card).findByRole('alert')).toHaveTextContent(
    'There seems to be a problem with changing your funding account. Please try again later or contact support.',
  );
  expect(within(card).getByRole('checkbox', { name: /Everyday/ })).toBeChecked();
  expect(callsOf(updateFundingAccount)[0]?.input).toEqual({
    cdrid,
    tenantA: 'default',
    accounts: [
      { account_id: everyday._id, accountId: everyday.id, activeDebitEnabled: false },
      { account_id: bills._id, accountId: bills.id, activeDebitEnabled: true },
    ],
  });
});

test('accounts that do not load say so', async () => {
  server.use(refuse(listAccounts, 404, 'not-found'));
  visit('/linked-accounts', { isSignedIn: true });
  expect(await screen.findByText('Failed to retrieve data.')).toBeVisible();
});

test('a savings account is linked through its form', async () => {
  server.use(answer(retrieveLinkedSavings, { savingsAccount: { document: null } }), answer(submitSavingsAccount, {}));
  const user = visit('/linked-accounts', { isSignedIn: true });
  expect(await screen.findByText('no account linked')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change Account' }));
  const modal = await screen.findByRole('dialog', { name: 'Savings Account' });
  await user.click(within(modal).getByRole('button', { name: 'Submit' }));
  expect(await within(modal).findByText('Account name is required')).toBeVisible();
  await user.type(within(modal).getByLabelText('Account Name'), 'Holiday');
  await user.type(within(modal).getByLabelText('BSB'), '12');
  await user.type(within(modal).getByLabelText('Account Number'), '1234');
  expect(await within(modal).findByText('BSB must be 6 numbers')).toBeVisible();
  expect(await within(modal).findByText('Account number must be 8-12 numbers')).toBeVisible();
  await user.type(within(modal).getByLabelText('BSB'), '3456');
  await user.type(within(modal).getByLabelText('Account Number'), '5678');
  await user.click(within(modal).getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(callsOf(submitSavingsAccount)[0]?.input).toEqual({
    cdrid,
    values: { accountName: 'Holiday', bsb: '123456', accountNumber: '12345678' },
  });
});

test('a savings account with a lost answer is sent again, and not called unsaved', async () => {
  let asked = 0;
  server.use(
    http.post(`*/api${submitSavingsAccount.path}`, () => {
      asked += 1;
      return asked === 1 ? HttpResponse.error() : HttpResponse.json({});
    }),
  );
  const user = visit('/linked-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Change Account' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Savings Account' }));
  await user.type(modal.getByLabelText('Account Name'), 'Holiday');
  await user.type(modal.getByLabelText('BSB'), '123456');
  await user.type(modal.getByLabelText('Account Number'), '12345678');
  await user.click(modal.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(asked).toBe(2);
});

test('the server’s problem with the savings account is shown at its field', async () => {
  const bsb = 'BSB must be 6 numbers';
  server.use(refuse(submitSavingsAccount, 400, 'invalid-input', { 'values.bsb': bsb }));
  const user = visit('/linked-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Change Account' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Savings Account' }));
  await user.type(modal.getByLabelText('Account Name'), 'Holiday');
  await user.type(modal.getByLabelText('BSB'), '123456');
  await user.type(modal.getByLabelText('Account Number'), '12345678');
  await user.click(modal.getByRole('button', { name: 'Submit' }));
  expect(await modal.findByText('Failed to register. Please try again.')).toBeVisible();
  expect(modal.getByLabelText('BSB')).toHaveAccessibleDescription(bsb);
});

test('Manage Bank Connection leaves for the bank', async () => {
  const user = visit('/linked-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Manage Bank Connection' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/manage'));
});

test('the side menu leads everywhere', async () => {
  const user = visit('/support', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  const menu = await screen.findByRole('navigation', { name: 'Main' });
  expect(
    within(menu)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['Dashboard', '/dashboard'],
    ['Linked Accounts', '/linked-accounts'],
    ['Privacy / T&Cs', '/terms'],
    ['Support', '/support'],
    ['Logout', '/logout'],
  ]);
});

test('the menu leads to closing the account', async () => {
  const user = visit('/support', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  await user.click(await screen.findByRole('link', { name: 'Pause, stop debits or close' }));
  await waitFor(() => expect(window.location.pathname + window.location.hash).toBe('/terms#your-data'));
  expect((await screen.findByRole('heading', { name: 'Your data' })).closest('details')).toHaveAttribute('open');
});

test('logging out ends the session and forgets everything', async () => {
  visit('/logout', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  expect(signOut).toHaveBeenCalled();
  expect(callsOf(endSession).map(({ input }) => input)).toEqual([{ userId: uid }]);
  expect(readStored('userId')).toBeUndefined();
  expect(readStored('cdrid')).toBeUndefined();
});

test('the menu says who is signed in, and logs out everywhere', async () => {
  server.use(answer(endEverySession, {}));
  const user = visit('/support', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  const address = await screen.findByRole('button', { name: 'anna@example.org, your account' });
  expect(address).toContainHTML('anna@<wbr>example.org'); // breaks there, not within a word
  await user.click(address);
  const dialog = within(await screen.findByRole('dialog', { name: 'Your Account' }));
  expect(dialog.getByText('anna@example.org')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  expect(callsOf(endEverySession).map(({ input }) => input)).toEqual([{ userId: uid }]);
  expect(readStored('userId')).toBeUndefined();
});

test('logging out of a server that is unavailable clears the browser all the same', async () => {
  logsAnError();
  server.use(refuse(endSession, 503, 'unavailable'));
  visit('/logout', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  expect(readStored('userId')).toBeUndefined();
});
