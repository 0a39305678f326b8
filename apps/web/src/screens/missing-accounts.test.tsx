import { getUser, updateRoundUpAccounts } from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userOf } from '../testing/makers.ts';
import { answer, callsOf, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const everyday = { name: 'Old Everyday', accountNumber: 'XXXXX7741', isDebited: false, isTracked: true };
const missing = (...missingAccounts: (typeof everyday)[]) => answer(getUser, userOf({ missingAccounts }));

test('linked accounts name one that the bank no longer shows, until the supporter continues without it', async () => {
  server.use(
    missing(everyday),
    answer(updateRoundUpAccounts, ({ roundUpAccounts }) => ({ results: roundUpAccounts })),
  );
  const user = visit('/linked-accounts', { isSignedIn: true });
  const notice = await screen.findByText(/no longer shows Old Everyday XXXXX7741/);
  expect(notice).toHaveTextContent(
    'Purchases on it are not rounded up. If it is still open, share it again with Manage Bank Connection. If it is closed, press Submit below to continue without it.',
  );
  server.use(answer(getUser, userOf()));
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(screen.queryByText(/no longer shows/)).not.toBeInTheDocument());
  expect(callsOf(updateRoundUpAccounts)).toHaveLength(1);
});

test('a missing funding account says that nothing is debited', async () => {
  server.use(missing({ ...everyday, isTracked: false, isDebited: true }));
  visit('/linked-accounts', { isSignedIn: true });
  expect(await screen.findByText(/no longer shows/)).toHaveTextContent(
    /Nothing is debited until it is back or you choose another account\. .* If it is closed, choose another funding account\./,
  );
});
