// @vitest-environment jsdom
import { type ListedPayment, listPayments, sumPayments } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import Payments from '../payments.tsx';

signedInAs('finance');

const payment = {
  id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001',
  kind: 'debit',
  reference: 'RU4F09A1C0D5E6F7A8',
  amountCents: 435,
  state: 'cleared',
  supporter: null,
  club: { id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0002', name: 'Bay Rovers' },
  plannedOn: '2026-11-25',
} as unknown as ListedPayment;

const sums = {
  sums: [
    { kind: 'debit', payments: 1204, cents: 4_000_00 },
    { kind: 'donation', payments: 1, cents: 50_00 },
    { kind: 'remittance', payments: 2, cents: 3_100_50 },
  ],
  isCut: false,
  silentServers: [],
};

/** Opens the list at an address; the server lists a page of payments for each query. */
function openList(search: string, rowsOf: (asked: URLSearchParams) => ListedPayment[]): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url);
    const isSum = url.pathname.endsWith(sumPayments.path);
    return Response.json(isSum ? sums : { rows: rowsOf(url.searchParams), next: null, silentServers: [] });
  });
  window.history.replaceState(null, '', `/payments${search}`);
  render(
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <Routes>
          <Route path="/payments/*" element={<Payments />} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>,
  );
  return asked;
}

test('an amount that no payment of some days has names them, and is searched for on all days', async () => {
  openList('?amount=20&from=2026-12-17&to=2026-12-23', (asked) =>
    asked.has('from') || asked.has('to') ? [] : [payment],
  );
  expect((await screen.findByText(/^No payment from/)).textContent).toBe(
    'No payment from Thu 17 Dec 2026 to Wed 23 Dec 2026 matches. Check the reference, or remove a filter. Search all days',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Search all days' }));
  await screen.findByText(payment.reference);
  expect(window.location.search).toBe('?amount=20');
});

test('without days, nothing is said of others', async () => {
  openList('?amount=20', () => []);
  await screen.findByText(/^No payment of any day matches/);
  expect(screen.queryByRole('button', { name: 'Search all days' })).toBeNull();
});

test('payments are sorted by the server by each of four columns, and the sum is that of the filter', async () => {
  const asked = openList('?state=cleared', () => [payment]);
  await screen.findByText(payment.reference);
  const lastSort = () =>
    asked.findLast(({ pathname }) => pathname.endsWith(listPayments.path))?.searchParams.get('sort');
  const directions = () =>
    screen.getAllByRole('columnheader').flatMap((head) => {
      const direction = head.getAttribute('aria-sort');
      return direction ? [`${head.textContent} ${direction}`] : [];
    });
  expect(directions()).toEqual(['Planned descending', 'Payment none', 'Amount none', 'State none']);
  for (const [title, ...sorts] of [
    ['Planned', 'planned'],
    ['Amount', '-amount', 'amount'],
    ['State', 'state', '-state'],
    ['Payment', 'kind', '-kind'],
  ] as const)
    for (const sort of sorts) {
      const head = screen.getByRole('button', { name: title });
      head.focus();
      fireEvent.click(head);
      await waitFor(() => expect(lastSort()).toBe(sort));
      expect(document.activeElement).toBe(head); // the table stays while it is sorted otherwise
      expect(directions()).toContain(`${title} ${sort.startsWith('-') ? 'descending' : 'ascending'}`);
    }
  const sumsAsked = asked.filter(({ pathname }) => pathname.endsWith(sumPayments.path));
  expect(sumsAsked.map(({ search }) => search)).toEqual(['?state=cleared']);
  await waitFor(() =>
    expect(screen.getByText(/1,207 payments/).textContent).toBe('1,207 payments, $4,050.00 in, $3,100.50 out'),
  );
});
