import { retrieveLinkedSavings, submitSavingsAccount, updateFundingAccount } from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { knownUser } from '../testing/fake-session.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const none = answer(retrieveLinkedSavings, { savingsAccount: { document: null } });
const refusedOnce = () => {
  server.use(none, refuse(submitSavingsAccount, 403, 'requires-recent-login'));
};

async function submitSavings() {
  const user = visit('/linked-accounts', { isSignedIn: true });
  knownUser('anna@example.org', 'correct horse');
  await user.click(await screen.findByRole('button', { name: 'Change Account' }));
  const form = within(await screen.findByRole('dialog', { name: 'Savings Account' }));
  await user.type(form.getByLabelText('Account Name'), 'Holiday');
  await user.type(form.getByLabelText('BSB'), '062000');
  await user.type(form.getByLabelText('Account Number'), '12345678');
  await user.click(form.getByRole('button', { name: 'Submit' }));
  const question = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  return { user, question };
}

test('a change that needs a recent sign-in asks for the password in place and keeps the typed values', async () => {
  refusedOnce();
  const { user, question } = await submitSavings();
  await user.type(question.getByLabelText('Password'), 'wrong');
  await user.click(question.getByRole('button', { name: 'Confirm' }));
  expect(await question.findByText('Failed to log in. Please check your credentials.')).toBeVisible();
  server.use(answer(submitSavingsAccount, {}));
  await user.clear(question.getByLabelText('Password'));
  await user.type(question.getByLabelText('Password'), 'correct horse');
  await user.click(question.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const sent = callsOf(submitSavingsAccount).map(({ input }) => input);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('turning back at the password leaves the form as it was, without a word of failure', async () => {
  refusedOnce();
  const { user, question } = await submitSavings();
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  const form = within(await screen.findByRole('dialog', { name: 'Savings Account' }));
  expect(form.getByLabelText('Account Number')).toHaveValue('12345678');
  expect(form.queryByRole('alert')).toBeNull();
  expect(callsOf(submitSavingsAccount)).toHaveLength(1);
});

test('an unconfirmed funding account reverts to the debited one', async () => {
  server.use(refuse(updateFundingAccount, 403, 'requires-recent-login'));
  const user = visit('/linked-accounts', { isSignedIn: true });
  const card = within(await screen.findByRole('group', { name: 'Funding Account (Debits)' }));
  const [first, second] = card.getAllByRole('checkbox');
  expect(first).toBeChecked();
  if (second) await user.click(second);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(first).toBeChecked());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a changed savings account says from when it receives deposits', async () => {
  const document = { accountName: 'Holiday', accountNumber: 'XXXX5678', receivesFrom: '2026-11-27' };
  server.use(answer(retrieveLinkedSavings, { savingsAccount: { document } }));
  visit('/linked-accounts', { isSignedIn: true });
  expect(await screen.findByText(/deposits begin on Fri 27 Nov/)).toBeVisible();
});
