import * as contract from '@sparechange/contract';
import { nothingHeld } from '@sparechange/domain/offboarding';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { email, getIdToken, identityFailure, knownUser } from '#testing/fake-session.ts';
import { cdrid } from '#testing/makers.ts';
import { answer, callsOf, refuse, server } from '#testing/server.ts';
import { visit } from '#testing/visit.tsx';
import { saveFile } from '#ui/save-file.ts';

vi.mock('#ui/save-file.ts', () => ({ saveFile: vi.fn() }));

const status = { ...nothingHeld, hasMandate: true, hasConsent: true, debits: { count: 1, cents: 342 } };

test('a visitor reads the terms and is asked to sign in for the rest', async () => {
  visit('/terms#your-data');
  expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/');
});

test('a step is explained before, done when confirmed, and called done afterwards', async () => {
  let current = status;
  server.use(
    answer(contract.retrieveOffboardingStatus, () => ({ status: current })),
    answer(contract.stopDebits, () => {
      current = { ...status, hasMandate: false, isPaused: true };
      return { status: current };
    }),
  );
  const user = visit('/terms#your-data', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Stop debits' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Stop debits' }));
  expect(dialog.getByText(/A debit of \$3\.42 is already with your bank/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText(/Your debits have stopped/)).toBeVisible();
  expect(screen.getByText('No authority')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Stop debits' })).toBeNull();
  expect(callsOf(contract.stopDebits).map(({ input }) => input)).toEqual([{ cdrid }]);
});

test('a step that fails says so and can be tried again', async () => {
  server.use(
    answer(contract.retrieveOffboardingStatus, { status }),
    refuse(contract.withdrawConsent, 502, 'provider-unavailable'),
  );
  const user = visit('/terms#your-data', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Withdraw consent' }));
  await user.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong, please try again');
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeEnabled();
});

test('the archive is saved as it came', async () => {
  server.use(
    answer(contract.retrieveOffboardingStatus, { status }),
    answer(contract.downloadEverything, { fileName: 'all.zip', zip: btoa('PK') }),
  );
  const user = visit('/terms#your-data', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Download everything' }));
  await user.click(screen.getByRole('button', { name: 'Download' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
  expect(vi.mocked(saveFile).mock.lastCall?.[1]).toEqual({ name: 'all.zip', type: 'application/zip' });
});

test.each([
  ['the server takes its session no more', () => undefined],
  [
    'its user is gone',
    () => {
      const token = async () => 'token-of-anna';
      vi.mocked(getIdToken).mockImplementationOnce(token).mockImplementationOnce(token); // to close, and to look
      vi.mocked(getIdToken).mockRejectedValueOnce(identityFailure('auth/user-token-expired'));
    },
  ],
])('a closing with a lost answer is called done where %s', async (_how, end) => {
  knownUser(email, 'correct horse');
  let isClosed = false;
  server.use(
    http.post(`*/api${contract.closeAccount.path}`, () => {
      isClosed = true;
      return HttpResponse.error();
    }),
    answer(contract.retrieveOffboardingStatus, { status }),
  );
  const user = visit('/terms#your-data', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Close account' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Close account' }));
  server.use(refuse(contract.retrieveOffboardingStatus, 401, 'signed-out'));
  end();
  await user.type(dialog.getByLabelText('Password'), 'correct horse');
  await user.click(dialog.getByRole('button', { name: 'Close account' }));
  expect(await screen.findByText(/^Your account is closed\./)).toBeVisible();
  expect(isClosed).toBe(true);
});

test('a closing that did not reach the server is not called done', async () => {
  knownUser(email, 'correct horse');
  server.use(
    http.post(`*/api${contract.closeAccount.path}`, () => HttpResponse.error()),
    answer(contract.retrieveOffboardingStatus, { status }),
  );
  const user = visit('/terms#your-data', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Close account' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Close account' }));
  await user.type(dialog.getByLabelText('Password'), 'correct horse');
  await user.click(dialog.getByRole('button', { name: 'Close account' }));
  expect(await dialog.findByText('Something went wrong, please try again')).toBeVisible();
});
