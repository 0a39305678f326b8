// @vitest-environment jsdom
import {
  importStatement,
  listLedgerAccounts,
  listStatementImports,
  reconcileAgain,
  retrieveTrustBalance,
} from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import Reconciliation from './reconciliation.tsx';

signedInAs('finance');

const difference = {
  id: '1',
  match: 'missing_there',
  kind: 'remittance',
  reference: 'CL1',
  ours: 'submitted',
  cents: 12_40,
  theirs: null as string | null,
  theirCents: null as number | null,
};
const outcome = { matched: 3, differing: 1, differences: [difference], openLines: 0 };

beforeEach(() => {
  outcome.differences = [difference];
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    pathname.endsWith(reconcileAgain.path) ? Response.json(outcome) : new Promise(() => {}),
  );
});

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Reconciliation />
      </MemoryRouter>
    </QueryClientProvider>,
  );

async function reconcile(): Promise<void> {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/?day=2026-11-26']}>
        <Reconciliation />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Reconcile again'));
  fireEvent.click(screen.getByText('Reconcile'));
  await screen.findByText(/3 payments compared and equal/);
}

test('lines matched by reconciling again change the balance and the accounts, which are refetched', async () => {
  const balance = [retrieveTrustBalance.name, 'answer', {}];
  const accounts = [listLedgerAccounts.name, {}];
  const amounts = { held: [], owed: [], shortfalls: [], receivable: { clubs: 0, cents: 0 } };
  queryClient.setQueryData(balance, { today: '2026-11-27', closedUntil: '2026-11-26', ...amounts });
  queryClient.setQueryData(accounts, { pages: [{ rows: [], next: null }], pageParams: [] });
  await reconcile();
  for (const key of [balance, accounts]) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

test('a payment that differs is named as on other pages', async () => {
  await reconcile();
  expect(screen.getByText('Payout to a club CL1: $12.40 here, none there.')).toBeTruthy();
});

test('both outcomes of a payment that differs are shown', async () => {
  const differing = { ...difference, match: 'outcome_differs', ours: 'cleared', theirs: 'returned', theirCents: 12_40 };
  outcome.differences = [differing, { ...difference, id: '2', reference: 'CL2' }];
  await reconcile();
  expect(screen.getByText(/^Payout to a club CL1/).textContent).toBe(
    'Payout to a club CL1: $12.40 here, $12.40 there. Cleared here, returned there.',
  );
  expect(screen.getByText(/^Payout to a club CL2/).textContent).toBe('Payout to a club CL2: $12.40 here, none there.');
});

test('importing a statement says which columns and days a CSV file may have', async () => {
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  const words = screen.getByRole('dialog').textContent;
  for (const word of ['transaction_id', '2026-12-31, 31/12/2026 or 31-12-2026']) expect(words).toContain(word);
});

test('an import’s questions are asked before anything is booked, and answered in the same dialog', async () => {
  const sent: Record<string, unknown>[] = [];
  const refusals = [{ changedLines: 'Two lines are in doubt.' }, { acceptedCents: 'The difference is $30.00.' }];
  vi.stubGlobal('fetch', async ({ pathname }: URL, { body }: RequestInit) => {
    if (!pathname.endsWith(importStatement.path)) return new Promise(() => {});
    sent.push(JSON.parse(String(body)));
    const fields = refusals[sent.length - 1];
    const error = { code: 'invalid-input', message: 'No.', requestId: 'r', fields };
    return fields
      ? Response.json({ error }, { status: 400 })
      : Response.json({ lines: 2, added: 2, matched: 0, open: 2, gapCents: 0 });
  });
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  expect(screen.queryByLabelText('The lines in doubt are')).toBeNull();
  fireEvent.click(screen.getByText('Import'));
  fireEvent.change(await screen.findByLabelText('The lines in doubt are'), { target: { value: 'new' } });
  fireEvent.click(screen.getByText('Import'));
  const accepted = await screen.findByLabelText('Accepted difference, in dollars');
  expect(screen.getByRole('dialog').textContent).toContain('The difference is $30.00.');
  fireEvent.change(accepted, { target: { value: '$30.00' } });
  fireEvent.click(screen.getByText('Import'));
  await screen.findByText(/2 of them new/);
  expect(sent.map(({ changedLines, acceptedCents }) => [changedLines, acceptedCents])).toEqual([
    [undefined, undefined],
    ['new', undefined],
    ['new', 3000],
  ]);
});

test('the last imports are shown with their progress or result', async () => {
  const each = {
    id: '',
    fileName: '',
    startedAt: '2026-11-26T00:00:00Z',
    done: 0,
    total: 0,
    result: null,
    problem: null,
    questions: [],
  };
  const result = { lines: 3, added: 2, matched: 1, open: 4, gapCents: 100 };
  const ids = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const imports = [
    { ...each, id: ids[0], fileName: 'large.xml', state: 'booking', done: 12_000, total: 100_000 },
    { ...each, id: ids[1], fileName: 'asked.csv', state: 'refused', problem: 'Two lines are in doubt.' },
    { ...each, id: ids[2], fileName: 'small.csv', state: 'done', result },
  ];
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    pathname.endsWith(listStatementImports.path) ? Response.json({ imports }) : new Promise(() => {}),
  );
  show();
  expect((await screen.findByText(/12,000 of 100,000 lines read/)).textContent).toContain('large.xml');
  expect(screen.getByRole('progressbar', { name: 'Import of large.xml' })).toBeTruthy();
  expect(screen.getByText(/Nothing was imported. Two lines are in doubt./)).toBeTruthy();
  expect(
    screen.getByText(/3 lines read, 2 of them new. 1 line matched now; 4 lines of all statements unmatched/),
  ).toBeTruthy();
});
