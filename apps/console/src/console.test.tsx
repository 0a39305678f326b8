// @vitest-environment jsdom
import { retrieveBankFileState } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import Console from './console.tsx';
import { signedInAs } from './testing/signed-in.ts';

signedInAs('finance');
beforeEach(() => {
  // The browser of this test has no stream of events.
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener() {}
      close() {}
    },
  );
});

/** Opens the console with this way of lodging bank files, at an address without a page. */
async function openWith(lodging: string | null): Promise<void> {
  const state = { lodging, today: '2026-11-27', waiting: [], nextWriteAt: null };
  queryClient.setQueryData([retrieveBankFileState.name, 'answer', {}], state as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/nowhere']}>
        <Console />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByText("We can't find that page");
}

test('bank files are in the navigation where payments go by them', async () => {
  await openWith('by_operator');
  expect(screen.getByRole('link', { name: 'Bank files' })).toBeTruthy();
});

test('bank files are not in the navigation where payments go another way', async () => {
  await openWith(null);
  expect(screen.getByRole('link', { name: 'Reconciliation' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Bank files' })).toBeNull();
});
