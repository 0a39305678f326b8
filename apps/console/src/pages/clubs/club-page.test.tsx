// @vitest-environment jsdom
import { retrieveBankDetailChange, retrieveClub } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { ClubPage } from './club-page.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const answerOf = (operation: { name: string }, clubId: string) => [operation.name, 'answer', { clubId }];
const money = { collectedCents: 0, payableCents: 0, inTransitCents: 0, remittedCents: 0, reservedCents: 0 };

/** Keeps a club as it was read before. */
function known(id: string, name: string, parent: { id: string; name: string } | null): void {
  const club = {
    id,
    name,
    parent,
    account: '062-000 XXXXX678',
    address: 'https://rovers.example',
    endsOn: null,
    ...money,
  };
  queryClient.setQueryData(answerOf(retrieveClub, id), { ...club, retiredFrom: null, hasEnded: false, supporters: 9 });
  const contact = { change: null, stopped: null, confirmingContact: null };
  queryClient.setQueryData(answerOf(retrieveBankDetailChange, id), contact);
}

test('what is typed for one club is gone once the page shows another', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }); // jsdom has neither
  queryClient.setQueryData(sessionQuery.queryKey, {
    id: 'fay',
    roles: ['finance'],
    clubs: [],
    isByLink: false,
  } as never);
  known('b', 'Rovers Juniors', { id: 'a', name: 'Rovers' });
  known('a', 'Rovers', null);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/clubs/b']}>
        <Routes>
          <Route path="/clubs/:clubId/*" element={<ClubPage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Ask for a change'));
  fireEvent.change(screen.getByLabelText('Account number'), { target: { value: '12345678' } });
  fireEvent.click(screen.getByText('Rovers'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rovers');
  expect(screen.queryByLabelText('Account number')).toBeNull();
});
