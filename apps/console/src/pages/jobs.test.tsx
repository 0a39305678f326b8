// @vitest-environment jsdom
import { listFailedJobs } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import Jobs from './jobs.tsx';

signedInAs('owner');

const job = {
  id: '01a22832-2706-7000-8000-000000000001',
  queue: 'mails',
  key: 'all',
  failedAt: '2026-11-25T00:00:00.000Z',
  attempts: 10,
  error: null,
};

/** Shows the page with these failed jobs and no other failure. */
function open(failed: object[]): void {
  queryClient.removeQueries({ queryKey: [listFailedJobs.name] });
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json({
      rows: new URL(address, 'http://localhost').pathname.endsWith(listFailedJobs.path) ? failed : [],
      next: null,
      total: failed.length,
      silentServers: [],
    }),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Jobs />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('three empty lists of failures are one line', async () => {
  open([]);
  expect(await screen.findByText('Nothing failed')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Failed jobs' })).toBeNull();
});

test('with one failure each list is shown', async () => {
  open([job]);
  expect(await screen.findByRole('heading', { name: 'Failed jobs' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Failed notifications' })).toBeTruthy();
  expect(screen.queryByText('Nothing failed')).toBeNull();
});
