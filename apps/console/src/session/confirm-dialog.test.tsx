// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirmation } from '#api/confirmation.ts';
import { queryClient } from '#api/query-client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { sessionQuery } from './session.ts';

/** Stands for a passkey that this browser's person gives. */
const credential = {
  id: 'key',
  type: 'public-key',
  rawId: new ArrayBuffer(1),
  response: {
    authenticatorData: new ArrayBuffer(1),
    clientDataJSON: new ArrayBuffer(1),
    signature: new ArrayBuffer(1),
  },
  getClientExtensionResults: () => ({}),
};

const person = (id: string) => ({
  id,
  email: 'pat@example.com',
  name: 'Pat',
  roles: ['owner'],
  clubs: [],
  isByLink: false,
  hasSignIn: true,
  isConfirmed: true,
});
const olive = person('5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001');
const oscar = person('5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0002');

/** The person whose passkey is given. */
let given = olive;
let answers = true;

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: async () => credential } });
  const passkeys = [{ id: 'key', name: 'Mac', addedAt: '2026-11-01T00:00:00.000Z', lastUsedAt: null }];
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (!answers) throw new TypeError('no network');
    if (pathname.endsWith('/sign-in')) return Response.json({ hasPassword: false, sessions: 1, passkeys });
    if (pathname.endsWith('/begin')) return Response.json({ challengeId: olive.id, options: { challenge: 'AA' } });
    return Response.json({ operator: given });
  });
  queryClient.setQueryData(sessionQuery.queryKey, olive as never);
  given = olive;
  answers = true;
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function ask(): Promise<boolean> {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ConfirmDialog />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return confirmation.ask();
}

test('the passkey of the person who asked lets the act proceed', async () => {
  const isConfirmed = ask();
  fireEvent.click(await screen.findByText('Use your passkey'));
  expect(await isConfirmed).toBe(true);
});

test('the passkey of somebody else does not send what the first person asked for', async () => {
  given = oscar;
  const isConfirmed = ask();
  fireEvent.click(await screen.findByText('Use your passkey'));
  expect(await isConfirmed).toBe(false);
  expect(queryClient.getQueryData(sessionQuery.queryKey)?.id).toBe(oscar.id);
});

test('if the ways to confirm cannot be loaded the dialog says so and offers a retry', async () => {
  answers = false;
  const isConfirmed = ask();
  await screen.findByText(/The server does not answer/, {}, { timeout: 5_000 });
  answers = true;
  fireEvent.click(screen.getByText('Try again'));
  fireEvent.click(await screen.findByText('Use your passkey'));
  expect(await isConfirmed).toBe(true);
});
