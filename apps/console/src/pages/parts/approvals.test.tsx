// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { Approvals } from './approvals.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const approval = {
  id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001',
  act: 'api_key',
  summary: 'API key Writer that may change clubs’ pages',
  lines: [],
  state: 'asked',
  isUnderWay: false,
  askedBy: 'Olive Owner',
  askedAt: new Date('2026-11-25T00:00:00.000Z'),
  decidedBy: null,
  failure: null,
  expiresAt: new Date('2026-12-02T00:00:00.000Z'),
  isOwn: false,
} as never;

test('a secret shown once stays on the screen after the last request is decided', async () => {
  const answer = { isUnderWay: false, shownOnce: 'sparechange_secret' };
  vi.stubGlobal('fetch', async () => Response.json(answer));
  const page = (approvals: never[]) => (
    <QueryClientProvider client={queryClient}>
      <Approvals approvals={approvals} />
    </QueryClientProvider>
  );
  const { rerender } = render(page([approval]));
  fireEvent.click(screen.getByText('Agree'));
  fireEvent.click(screen.getAllByText('Agree').at(-1) as HTMLElement);
  await screen.findByText('sparechange_secret');
  rerender(page([]));
  expect(screen.getByText('sparechange_secret')).toBeTruthy();
});

test('agreeing to new bank details says that the contact confirms them and two banking days pass', () => {
  const change = { ...(approval as object), act: 'club_bank_details', summary: 'Bank details of Rovers' } as never;
  render(
    <QueryClientProvider client={queryClient}>
      <Approvals approvals={[change]} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Agree'));
  const words = screen.getByRole('dialog').textContent;
  expect(words).toContain('two banking days pass');
  expect(words).not.toContain('when you agree');
});

test('Escape does not close the dialog while an agreement is sent, as it may show a secret', async () => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  render(
    <QueryClientProvider client={queryClient}>
      <Approvals approvals={[approval]} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Agree'));
  const agree = screen.getAllByText('Agree').at(-1)?.closest('button') as HTMLButtonElement;
  fireEvent.click(agree);
  await waitFor(() => expect(agree.disabled).toBe(true));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  answer(Response.json({ isUnderWay: false, shownOnce: 'sparechange_secret' }));
  await screen.findByText('sparechange_secret');
});

test('a double click on Agree agrees once, and keeps the resulting secret', async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () =>
    Response.json({ isUnderWay: false, shownOnce: 'sparechange_secret' }),
  );
  vi.stubGlobal('fetch', fetched);
  render(
    <QueryClientProvider client={queryClient}>
      <Approvals approvals={[approval]} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Agree'));
  const agree = screen.getAllByText('Agree').at(-1) as HTMLElement;
  fireEvent.click(agree, { detail: 1 });
  fireEvent.click(agree, { detail: 2 });
  await screen.findByText('sparechange_secret');
  fireEvent.click(screen.getByText('Close'), { detail: 2 });
  expect(screen.getByText('sparechange_secret')).toBeTruthy();
  expect(fetched).toHaveBeenCalledOnce();
});

test('a request withdrawn by its asker is not called refused', () => {
  const of = (decidedBy: string) => ({ ...(approval as object), state: 'refused', decidedBy }) as never;
  const page = (decidedBy: string) => (
    <QueryClientProvider client={queryClient}>
      <Approvals approvals={[of(decidedBy)]} />
    </QueryClientProvider>
  );
  const { rerender } = render(page('Olive Owner'));
  expect(screen.getByText('Withdrawn')).toBeTruthy();
  rerender(page('Olga Owner'));
  expect(screen.getByText('Refused')).toBeTruthy();
});

test('a person who agrees to an act about a club can look at the club first', () => {
  const person = { id: 'olive', roles: ['owner'], clubs: [], isByLink: false };
  queryClient.setQueryData(sessionQuery.queryKey, person as never);
  const lines = [
    { label: 'Club', value: 'Rovers (/rovers)', clubId: '7' },
    { label: 'New account', value: '062-000 (Commonwealth Bank) …321 Rovers Inc' },
  ];
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Approvals approvals={[{ ...(approval as object), lines } as never]} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Agree'));
  expect(screen.getByRole('dialog').textContent).toContain('062-000 (Commonwealth Bank) …321 Rovers Inc');
  expect(screen.getByRole('link', { name: 'See the club' }).getAttribute('href')).toBe('/clubs/7');
});
