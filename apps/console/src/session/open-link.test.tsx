// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { OpenLink } from './open-link.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  window.location.hash = '';
});

function open(): void {
  window.location.hash = '#token';
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <OpenLink />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('a link that failed offline is not called used, and opens with another press', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no network');
  });
  open();
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText(/The server does not answer/);
  expect(screen.queryByText('This link cannot be opened')).toBeNull();
  const refusal = { error: { code: 'not-found', message: 'The link was not found.', requestId: '1' } };
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 404 }));
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('This link cannot be opened');
});
