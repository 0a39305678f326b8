// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { SaveDossier } from './save-dossier.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function show(role: string, kind: string): void {
  queryClient.setQueryData(sessionQuery.queryKey, { id: 'fay', roles: [role], clubs: [], isByLink: false } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <SaveDossier trace={{ reference: 'RU1', kind } as never} />
    </QueryClientProvider>,
  );
}

test('finance saves the dossier of a debit once, and hears that it is being made', async () => {
  const fetched = vi.fn<(address: string) => Promise<Response>>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetched);
  show('finance', 'debit');
  const button = screen.getByText('Save dossier');
  fireEvent.click(button);
  expect((await screen.findByText('The dossier is being made.')).getAttribute('role')).toBe('status');
  fireEvent.click(button);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(String(fetched.mock.calls[0]?.[0])).toContain('/payments/dossier?reference=RU1');
});

test('finance hears that the dossier is saved', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:dossier', revokeObjectURL: () => {} }));
  const answer = { name: 'dossier.zip', mediaType: 'application/zip', content: '' };
  vi.stubGlobal('fetch', async () => Response.json(answer));
  show('finance', 'debit');
  fireEvent.click(screen.getByText('Save dossier'));
  expect((await screen.findByText('Saved')).getAttribute('role')).toBe('status');
});

test.each([
  ['support', 'debit'],
  ['finance', 'remittance'],
])('a dossier is not offered to %s for a %s', (role, kind) => {
  show(role, kind);
  expect(screen.queryByText('Save dossier')).toBeNull();
});
