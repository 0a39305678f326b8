// @vitest-environment jsdom
import { downloadPayouts, listClubPayouts, retrievePendingPayouts } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { ClubPayouts } from './payouts.tsx';

signedInAs('finance');

const clubId = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001';

test('the error of one financial year’s file is not shown for another year', async () => {
  const error = { code: 'unavailable', message: 'Please try again in a minute.', requestId: '1' };
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    pathname.endsWith(downloadPayouts.path) ? Response.json({ error }, { status: 503 }) : new Promise(() => {}),
  );
  queryClient.setQueryData([retrievePendingPayouts.name, 'answer', { clubId }], {
    waitingCents: 0,
    reservedCents: 0,
    toReserveCents: 0,
    retriedCents: 0,
    retryOn: null,
    clearedTodayCents: 0,
    waitsForDetails: false,
    today: '2026-11-27',
    nextOn: '2026-11-30',
    afterNextOn: '2026-12-01',
    hasAccount: true,
    onItsWay: [],
    years: [2026, 2025],
  });
  for (const year of ['2026', '2025'])
    queryClient.setQueryData([listClubPayouts.name, { clubId, year }], {
      pages: [{ rows: [], next: null }],
      pageParams: [undefined],
    });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubPayouts clubId={clubId} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('PDF'));
  await screen.findByText('Please try again in a minute.');
  fireEvent.change(screen.getByLabelText('Financial year'), { target: { value: '2025' } });
  await screen.findByText(/All payouts from 1 July 2025/);
  expect(screen.queryByText('Please try again in a minute.')).toBeNull();
});
