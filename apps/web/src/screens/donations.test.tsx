import { donateNow } from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cdrid } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

async function submitDonation(amount: string) {
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Donate Now' }));
  await user.clear(await screen.findByLabelText('Amount'));
  await user.type(screen.getByLabelText('Amount'), amount);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  return user;
}

test('a one-off donation is checked, sent once and thanked for', async () => {
  server.use(answer(donateNow, {}));
  const user = await submitDonation('251');
  const amount = screen.getByLabelText('Amount');
  expect(await screen.findByText('Amount must be $250 or less')).toBeVisible();
  await user.clear(amount);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Amount is required')).toBeVisible();
  await user.type(amount, '25.50');
  await user.dblClick(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByRole('dialog', { name: 'Thank You!' })).toBeVisible();
  expect(callsOf(donateNow).map((call) => call.input)).toEqual([{ values: { amount: 25.5, cdrid } }]);
  expect(callsOf(donateNow)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('the thank-you shares the club, and stays while it does', async () => {
  server.use(answer(donateNow, {}));
  const user = await submitDonation('25');
  const dialog = await screen.findByRole('dialog', { name: 'Thank You!' });
  await user.click(await within(dialog).findByRole('button', { name: 'Share your club' }));
  expect(await screen.findByText('Link copied.')).toBeVisible();
  expect(await navigator.clipboard.readText()).toContain(`?efg=1&u=${cdrid}`);
  await new Promise((resolve) => setTimeout(resolve, 4500));
  expect(dialog).toBeVisible();
});

test('a failing donation can be sent again as the same gift', async () => {
  server.use(refuse(donateNow, 503, 'provider-unavailable'));
  const user = await submitDonation('5');
  expect(await screen.findByText('Failed to process donation. Please try again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(callsOf(donateNow)).toHaveLength(2));
  const keys = callsOf(donateNow).map((call) => call.headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
  await screen.findByText('Failed to process donation. Please try again.');
});

test('what the server finds wrong with the amount is said at the field', async () => {
  server.use(refuse(donateNow, 400, 'invalid-input', { 'values.amount': 'Amount must be $250 or less' }));
  await submitDonation('5');
  expect(await screen.findByText('Amount must be $250 or less')).toBeVisible();
  expect(screen.getByText('Failed to process donation. Please try again.')).toBeVisible();
});

test('a donation that is left while it is on its way is stopped and never sent again', async () => {
  server.use(answer(donateNow, () => new Promise(() => undefined)));
  const user = await submitDonation('7');
  await waitFor(() => expect(callsOf(donateNow)).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText(/You left before your donation was confirmed/)).toBeVisible();
  expect(callsOf(donateNow)).toHaveLength(1);
});
