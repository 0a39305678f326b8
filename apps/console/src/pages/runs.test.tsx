// @vitest-environment jsdom
import { listRuns, retrieveRun, retrieveRunState } from '@sparechange/contract/console';
import { cents, noCents } from '@sparechange/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import RunsPage, { returnedShare } from './runs.tsx';

signedInAs('finance');
beforeEach(() => {
  // The browser of this test has no stream of events.
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener() {}
      close() {}
    },
  );
});

const open = (address: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/runs/*" element={<RunsPage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );

const answerWith = (operation: { name: string }, input: object, answer: object) =>
  queryClient.setQueryData([operation.name, 'answer', input], answer as never);

const code8 = 'a debit was returned with code 8';
const suspendedAt = new Date('2027-05-12T02:00:00Z');
const suspension = { date: '2027-05-10', since: suspendedAt, because: code8, isAnomaly: false, cents: null };
const tenants = [{ tenant: 'default', name: 'Sparechange', suspended: null }];
const state = { nextRunAt: new Date('2027-05-13T20:00:00Z'), missedRun: null, suspension, tenants };

test('debiting suspended by a returned debit names the instant, and offers to resume', () => {
  answerWith(retrieveRunState, {}, state);
  open('/runs');
  expect(
    screen.getByText(`Nobody has been debited since Wed 12 May, 12:00 pm, because of the run of Mon 10 May: ${code8}.`),
  ).toBeTruthy();
  expect(
    screen.getByText(/^No debit run is made while debiting is suspended\. The next one would be on Fri 14 May/),
  ).toBeTruthy();
  expect(screen.queryByText('Debits are on for every tenant.')).toBeNull();
  fireEvent.click(screen.getByText('Resume debiting'));
  expect(screen.getByRole('dialog').textContent).toContain('it debits only supporters it has not debited yet');
});

test('a suspended tenant can be suspended for one more reason', () => {
  const since = { since: suspendedAt, because: 'its register is wrong' };
  const others = [...tenants, { tenant: 'bay-league', name: 'Bay League', suspended: since }];
  answerWith(retrieveRunState, {}, { ...state, suspension: null, tenants: others });
  open('/runs');
  fireEvent.click(screen.getByText('Suspend a tenant'));
  const offered = [...screen.getByLabelText<HTMLSelectElement>('Tenant').options].map(({ text }) => text);
  expect(offered).toEqual(['Please choose', 'Bay League, for one more reason', 'Sparechange']);
});

test('suspending a tenant looks dangerous, on the page and in its dialog', () => {
  answerWith(retrieveRunState, {}, { ...state, suspension: null });
  open('/runs');
  fireEvent.click(screen.getByText('Suspend a tenant'));
  const buttons = screen.getAllByRole('button', { name: 'Suspend a tenant' });
  expect(buttons.map((button) => button.hasAttribute('data-dangerous'))).toEqual([true, true]);
});

test('a completely sent run is called so while it suspends debiting, in order of events', () => {
  const sum = { debits: 0, cents: noCents };
  const run = {
    date: '2027-05-10',
    state: 'waiting',
    plannedAt: new Date('2027-05-09T20:00:00Z'),
    finishedAt: new Date('2027-05-09T20:01:00Z'),
    confirmedAt: null,
    suspendedAt,
    suspendedBecause: code8,
    isAnomaly: false,
    resumedAt: null,
    debits: 280,
    cents: 1_000_00,
  };
  const progress = { planned: sum, submitting: sum, submitted: sum, cleared: sum, failed: sum, deferred: sum };
  answerWith(
    retrieveRun,
    { date: run.date },
    {
      run,
      progress,
      outcomes: [],
      leftOut: [{ words: 'tenant suspended', debits: 331 }],
    },
  );
  open(`/runs/${run.date}`);
  expect(screen.getByText('Waiting for banks')).toBeTruthy();
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Planned',
    'All sent',
    'Debiting suspended',
    'Tenant suspended',
  ]);
  expect(screen.getByText('331 supporters')).toBeTruthy();
});

/** Returns how often a text stands on the page. */
const timesShown = (text: string) => (document.body.textContent ?? '').split(text).length - 1;

test('the page of a run shows its outcomes in one table, and each figure once', () => {
  const sum = (debits: number, amount: number) => ({ debits, cents: cents(amount) });
  const none = sum(0, 0);
  const run = { date: '2027-05-10', state: 'complete_with_returns', plannedAt: suspendedAt, ...sum(1_043, 4_401_00) };
  const noTimes = { finishedAt: null, confirmedAt: null, suspendedAt: null, resumedAt: null, suspendedBecause: null };
  const why = { returnCode: null, refusalCause: null, deferredBecause: null };
  const outcomes = [
    { state: 'cleared', ...why, ...sum(1_038, 4_380_50) },
    { state: 'returned', ...why, returnCode: 6, ...sum(5, 20_50) },
  ];
  const failed = sum(5, 20_50);
  const progress = {
    planned: none,
    submitting: none,
    submitted: none,
    cleared: sum(1_038, 4_380_50),
    failed,
    deferred: none,
  };
  answerWith(retrieveRun, { date: run.date }, { run: { ...run, ...noTimes }, progress, outcomes, leftOut: [] });
  open(`/runs/${run.date}`);
  expect(screen.getByText('Complete, with returns')).toBeTruthy();
  expect(screen.getAllByRole('table')).toHaveLength(1);
  for (const figure of ['1,043', '$4,401.00', '1,038', '$4,380.50', '$20.50'])
    expect([figure, timesShown(figure)]).toEqual([figure, 1]);
});

test('the list of runs shows what was returned by count, amount and share', () => {
  const sum = (debits: number, amount: number) => ({ debits, cents: cents(amount) });
  const none = sum(0, 0);
  const progress = {
    planned: none,
    submitting: none,
    submitted: none,
    cleared: sum(1_038, 4_380_50),
    failed: sum(5, 20_50),
    deferred: none,
  };
  const rows = ['2027-05-10', '2027-05-07'].map((id) => ({
    id,
    date: id,
    state: 'complete_with_returns',
    progress,
    ...sum(1_043, 4_401_00),
  }));
  answerWith(retrieveRunState, {}, { ...state, suspension: null });
  queryClient.setQueryData([listRuns.name, {}], {
    pages: [{ rows, next: null, silentServers: [] }],
    pageParams: [undefined],
  });
  open('/runs');
  const [first] = screen.getByRole('table').querySelectorAll('tbody tr');
  expect([...(first?.children ?? [])].map((cell) => cell.textContent)).toEqual([
    'Mon 10 May 2027',
    'Complete, with returns',
    '1,043',
    '$4,401.00',
    '1,038, $4,380.50',
    '5, $20.50',
    '0.5%',
  ]);
});

test.each([
  [0, 0, ''],
  [12, 0, '0%'],
  [97, 3, '3%'],
  [0, 2, '100%'],
])('of %i cleared and %i returned debits the returned share is "%s"', (cleared, failed, share) => {
  const of = (debits: number) => ({ debits, cents: noCents });
  expect(returnedShare({ cleared: of(cleared), failed: of(failed) })).toBe(share);
});
