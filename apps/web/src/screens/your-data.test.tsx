import * as contract from '@sparechange/contract';
import { nothingHeld } from '@sparechange/domain/offboarding';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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

test('what a step does is said before, done when confirmed, and said to be done', async () => {
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
