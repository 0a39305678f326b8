// @vitest-environment jsdom
import { listWebhookAttempts, listWebhookEndpoints } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import Developers from './developers.tsx';

signedInAs('owner');

const endpointId = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001';

test.each([
  ['/', /^Nothing has been delivered yet/],
  [`/?endpointId=${endpointId}`, /^Nothing has been delivered to this endpoint yet/],
])('at %s an empty list names its contents', async (address, words) => {
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    [listWebhookAttempts, listWebhookEndpoints].some(({ path }) => pathname.endsWith(path))
      ? Response.json({ rows: [], next: null })
      : new Promise(() => {}),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Developers />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(words, {}, { timeout: 3_000 })).toBeTruthy();
});
