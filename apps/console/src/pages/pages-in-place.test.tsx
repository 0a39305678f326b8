// @vitest-environment jsdom
import { retrieveClub, retrieveSupporter } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { aSupporter } from '../testing/a-supporter.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { ClubPage } from './clubs/club-page.tsx';
import { SupporterPage } from './supporters/supporter.tsx';

signedInAs('owner');

/** Opens the second of two pages of a kind, and returns what goes back to the first. */
function open(path: string, element: ReactNode): () => Promise<void> {
  const router = createMemoryRouter([{ path, element }], { initialEntries: ['/one', '/two'], initialIndex: 1 });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return () => act(() => router.navigate(-1));
}

test('the form of a club is closed by going back to the page of another one', async () => {
  for (const id of ['one', 'two']) {
    const club = {
      id,
      name: `Club ${id}`,
      slug: id,
      address: 'https://clubs.example/',
      retiredFrom: null,
      endsOn: null,
      collectedCents: 0,
      payableCents: 0,
      inTransitCents: 0,
      remittedCents: 0,
      reservedCents: 0,
    };
    queryClient.setQueryData([retrieveClub.name, 'answer', { clubId: id }], club as never);
  }
  const goBack = open('/:clubId/*', <ClubPage />);
  fireEvent.click(screen.getByText('Edit'));
  expect(screen.getByText('Edit Club two')).toBeTruthy();
  await goBack();
  expect(await screen.findByText('Club one')).toBeTruthy();
  expect(screen.queryByText(/^Edit Club/)).toBeNull();
});

test('an act of support is closed by going back to the page of another supporter', async () => {
  for (const id of ['one', 'two'])
    queryClient.setQueryData([retrieveSupporter.name, 'answer', { supporterId: id }], aSupporter(id) as never);
  const goBack = open('/:supporterId', <SupporterPage />);
  fireEvent.click(screen.getByRole('button', { name: 'Close the account' }));
  expect(screen.getByText(/closed right away and for good/)).toBeTruthy();
  await goBack();
  expect(await screen.findByText('Robin one')).toBeTruthy();
  expect(screen.queryByText(/closed right away and for good/)).toBeNull();
});
