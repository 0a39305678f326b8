// @vitest-environment jsdom
import { retrieveClubContact } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient, readAgain } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { ClubContact } from './contact.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('the frequency of a contact’s mails follows somebody else’s later choice', async () => {
  const club = {
    id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001',
    name: 'Bay Rovers',
    contactEmail: 'ann@rovers.example',
    confirmingContact: 'ann@rovers.example',
    account: null,
    adviceFrequency: 'each_payout',
  };
  vi.stubGlobal('fetch', async (_url: URL, { method }: RequestInit) => {
    if (method === 'POST') club.adviceFrequency = 'weekly';
    return Response.json(method === 'POST' ? {} : club);
  });
  queryClient.setQueryData(sessionQuery.queryKey, {
    id: 'olive',
    roles: ['owner'],
    clubs: [],
    isByLink: false,
  } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubContact clubId={club.id} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const isChosen = (name: string) => screen.getByLabelText<HTMLInputElement>(name).checked;
  fireEvent.click(await screen.findByLabelText('Weekly'));
  await screen.findByText('Saved');
  expect(isChosen('Weekly')).toBe(true);
  club.adviceFrequency = 'monthly';
  await act(() => readAgain());
  expect(isChosen('Monthly')).toBe(true);
});

test.each([
  [null, null, 'None yet, so nobody is emailed.'],
  [null, 'ann@rovers.example', /^None yet.*mailed\.For 30 days after the change ann@rovers.example confirms/],
  ['bob@rovers.example', 'ann@rovers.example', /^bob@rovers.exampleGets the mails.*ann@rovers.example confirms/],
  ['bob@rovers.example', 'bob@rovers.example', /^bob@rovers.exampleGets the mails about payouts, and confirms/],
])('a club with contact %s, where %s confirms, says who does what', (contactEmail, confirming, words) => {
  const clubId = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001';
  const club = { id: clubId, name: 'Bay Rovers', contactEmail, confirmingContact: confirming, account: null };
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  queryClient.setQueryData(sessionQuery.queryKey, { id: 'sol', roles: ['support'], clubs: [] } as never);
  queryClient.setQueryData([retrieveClubContact.name, 'answer', { clubId }], { ...club, adviceFrequency: 'weekly' });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubContact clubId={clubId} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const said = [...(screen.getByText('Contact').closest('section')?.querySelectorAll('p') ?? [])];
  expect(said.map(({ textContent }) => textContent).join('')).toMatch(words);
  if (contactEmail === null) expect(screen.queryByText(/^Gets the mails/)).toBeNull();
});
