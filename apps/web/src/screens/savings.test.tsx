import { getUser, retrieveLinkedSavings, retrieveSavingsSplit } from '@sparechange/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userOf } from '../testing/makers.ts';
import { answer, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

test.each([
  ['account_refused', "can't take deposits", 'The bank did not take our deposit into this account'],
  ['number_too_long', 'is too long for banks', 'Banks take payments to account numbers of up to 9 digits'],
] as const)('an account that receives nothing is promised no deposit: %s', async (problem, short, words) => {
  const document = { accountName: 'Holiday', accountNumber: 'XXXXXXXX9012', problem };
  server.use(
    answer(getUser, userOf({ savingsAccountEnabled: true })),
    answer(retrieveLinkedSavings, { savingsAccount: { document } }),
    answer(retrieveSavingsSplit, { clubCents: 649, savingsCents: 648, nextDeposit: null, waitingCents: 648 }),
  );
  const user = visit('/dashboard', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Linked Savings Account' });
  expect(await within(card).findByText(`XXXXXXXX9012 ${short}`)).toBeVisible();
  expect(await within(card).findByText(/^Set aside for you/)).toHaveTextContent(
    'Set aside for you: $6.48. Please link another account.',
  );
  expect(within(card).queryByText(/Next deposit/)).not.toBeInTheDocument();
  await user.click(within(card).getByRole('button', { name: 'Manage Linked Account' }));
  expect(await screen.findByText(words, { exact: false })).toBeVisible();
});

test('with savings on and no account linked, the card explains linking one', async () => {
  server.use(
    answer(getUser, userOf({ savingsAccountEnabled: true })),
    answer(retrieveLinkedSavings, { savingsAccount: { document: null } }),
    answer(retrieveSavingsSplit, { clubCents: 649, savingsCents: 0, nextDeposit: null, waitingCents: null }),
  );
  visit('/dashboard', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Linked Savings Account' });
  expect(await within(card).findByText('No account linked')).toBeVisible();
  const words = 'Half is saved once an account takes it.';
  expect(await within(card).findByText(words)).toBeVisible();
});
