// @vitest-environment jsdom
import { retrieveBankFileState, retrieveToday } from '@sparechange/contract/console';
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

test('requests and alarms are counted beside Today, whose link keeps its name', async () => {
  queryClient.setQueryData([retrieveToday.name, 'answer', {}], { approvals: 2, alarms: [{}, {}, {}] } as never);
  await openWith(null);
  const item = screen.getByRole('link', { name: 'Today' }).closest('li');
  expect(item?.textContent).toBe('Today2 to approve3 alarms in 7 days');
});

test('nothing is counted where nothing waits', async () => {
  queryClient.setQueryData([retrieveToday.name, 'answer', {}], { approvals: 0, alarms: [] } as never);
  await openWith(null);
  expect(screen.getByRole('link', { name: 'Today' }).closest('li')?.textContent).toBe('Today');
});
