// @vitest-environment jsdom
import { retrieveBankDetailChange, retrieveClub, retrievePendingPayouts } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { AskBeforeLeaving } from '../../ui/form.tsx';
import { Unsaved } from '../../ui/unsaved.tsx';
import { ClubPage } from './club-page.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  queryClient.setQueryData(sessionQuery.queryKey, {
    id: 'fay',
    roles: ['finance'],
    clubs: [],
    isByLink: false,
  } as never);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

const answerOf = (operation: { name: string }, clubId: string) => [operation.name, 'answer', { clubId }];
const money = { collectedCents: 100_00, collectedUntil: '2026-11-24', inTransitCents: 0, remittedCents: 0 };

/** Puts a club into the cache as if read before. */
function known(id: string, name: string, parent: { id: string; name: string } | null): void {
  const club = {
    id,
    name,
    parent,
    account: '062-000 (Commonwealth Bank) …678 Bay Rovers',
    address: 'https://rovers.example',
    endsOn: null,
    logo: 'rovers.svg',
    ...money,
  };
  queryClient.setQueryData(answerOf(retrieveClub, id), { ...club, retiredFrom: null, hasEnded: false, supporters: 9 });
  const contact = { change: null, stopped: null, confirmingContact: null };
  queryClient.setQueryData(answerOf(retrieveBankDetailChange, id), contact);
}

const open = (address: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <AskBeforeLeaving value={Unsaved}>
        <MemoryRouter initialEntries={[address]}>
          <Routes>
            <Route path="/clubs/:clubId/*" element={<ClubPage />} />
          </Routes>
        </MemoryRouter>
      </AskBeforeLeaving>
    </QueryClientProvider>,
  );

test('a club’s debt is called so, and its raised amount names the last day that counts', () => {
  known('a', 'Rovers', null);
  queryClient.setQueryData(answerOf(retrievePendingPayouts, 'a'), { waitingCents: -56_05, reservedCents: 0 });
  open('/clubs/a');
  expect(screen.getByText('Owed by the club').nextSibling?.textContent).toBe('$56.05');
  expect(screen.queryByText('To be paid')).toBeNull();
  expect(screen.getByText('Raised up to Tue 24 Nov').nextSibling?.textContent).toBe('$100.00');
});

test('the account, the logo and the picture of a club are shown in their parts', () => {
  known('a', 'Rovers', null);
  open('/clubs/a');
  for (const [name, value] of [
    ['BSB', '062-000 (Commonwealth Bank)'],
    ['Account', '…678'],
    ['Name', 'Bay Rovers'],
  ] as const)
    expect(screen.getByText(name).nextSibling?.textContent).toBe(value);
  expect(screen.getByRole('img', { name: 'rovers.svg' }).getAttribute('src')).toBe('/tenants/logos/rovers.svg');
  expect(screen.getByText('Picture').nextSibling?.textContent).toBe('none');
});

test('typed values of one club are gone once the page shows another', () => {
  known('b', 'Rovers Juniors', { id: 'a', name: 'Rovers' });
  known('a', 'Rovers', null);
  open('/clubs/b');
  fireEvent.click(screen.getByText('Ask for a change'));
  fireEvent.change(screen.getByLabelText('Account number'), { target: { value: '12345678' } });
  fireEvent.click(screen.getByText('Rovers'));
  fireEvent.click(screen.getByText('Leave')); // asked, as something is typed
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rovers');
  expect(screen.queryByLabelText('Account number')).toBeNull();
});

test('the BSB that is typed shows its bank, and an unknown one is only to be checked', () => {
  known('a', 'Rovers', null);
  open('/clubs/a');
  fireEvent.click(screen.getByText('Ask for a change'));
  const field = screen.getByLabelText<HTMLInputElement>('BSB');
  const noteOf = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;
  fireEvent.change(field, { target: { value: '805-050' } });
  expect(noteOf()).toBe('Cuscal');
  fireEvent.change(field, { target: { value: '999-999' } });
  expect(noteOf()).toContain('Please check it');
  expect(field.getAttribute('aria-invalid')).toBe('false');
});
