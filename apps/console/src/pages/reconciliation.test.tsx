// @vitest-environment jsdom
import {
  importStatement,
  listLedgerAccounts,
  listStatementImports,
  previewStatement,
  reconcileAgain,
  retrieveTrustBalance,
  takeBackStatement,
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

const previewed = {
  format: 'CSV',
  isMapped: false,
  bank: 'Westpac',
  account: 'XXXX3456',
  isNewAccount: false,
  lines: 12,
  firstDay: '2026-11-17',
  lastDay: '2026-11-18',
  openingCents: 0,
  closingCents: 1987_50,
  added: 3,
  known: 8,
  doubtful: 1,
  matching: 2,
  odd: ['1 known line of these days is not in the file: $2.00 of 2026-11-17, "TEA".'],
  question: null as object | null,
  first: [{ bookedOn: '2026-11-17', cents: -12_50, description: 'BANK FEE', state: 'new', matches: false }],
};

/** Answers previews and imports, and returns what was sent. */
function answering(preview: (input: Record<string, unknown>) => Response) {
  const sent: { path: string; input: Record<string, unknown> }[] = [];
  vi.stubGlobal('fetch', async ({ pathname }: URL, { body }: RequestInit) => {
    const input = body ? JSON.parse(String(body)) : {};
    if (pathname.endsWith(previewStatement.path)) {
      sent.push({ path: 'preview', input });
      return preview(input);
    }
    if (!pathname.endsWith(importStatement.path)) return new Promise(() => {});
    sent.push({ path: 'import', input });
    return Response.json({ lines: 12, added: 3, matched: 2, open: 1, gapCents: 0 });
  });
  return sent;
}

async function choose(): Promise<void> {
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File(['a,b'], 'november.csv')] } });
  await screen.findByText('Westpac', { exact: false });
}

test('a chosen file is shown before anything is booked, and imported by a press', async () => {
  const sent = answering(() => Response.json(previewed));
  await choose();
  const words = screen.getByRole('dialog').textContent;
  for (const part of ['CSV of Westpac', 'XXXX3456', '$1,987.50', '"TEA"', 'BANK FEE', '-$12.50', 'And 11 more lines'])
    expect(words).toContain(part);
  expect(sent.map(({ path }) => path)).toEqual(['preview']);
  fireEvent.click(screen.getByText('Import 3 lines'));
  await screen.findByText(/3 of them new/);
  expect(sent.map(({ path }) => path)).toEqual(['preview', 'import']);
  expect(sent[1]?.input).toEqual(sent[0]?.input);
});

test('a dropped file is shown like a chosen one', async () => {
  const sent = answering(() => Response.json(previewed));
  show();
  const dataTransfer = { types: ['Files'], files: [new File(['a,b'], 'november.csv')] };
  fireEvent.dragOver(window, { dataTransfer });
  expect(screen.getByText('Drop the statement to see what is in it')).toBeTruthy();
  fireEvent.drop(window, { dataTransfer });
  await screen.findByText('CSV of Westpac');
  expect(screen.queryByText('Drop the statement to see what is in it')).toBeNull();
  expect(sent).toHaveLength(1);
});

test('a file that is refused says why, and cannot be imported', async () => {
  const error = { code: 'invalid-input', message: 'This is a PDF.', requestId: 'r' };
  answering(() => Response.json({ error }, { status: 400 }));
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File(['%PDF'], 'x.pdf')] } });
  await screen.findByText('This is a PDF.');
  expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
});

test('a file with nothing new cannot be imported', async () => {
  answering(() => Response.json({ ...previewed, added: 0 }));
  await choose();
  expect(screen.getByText('Nothing to import').closest('button')?.disabled).toBe(true);
});

test('a preview’s questions are answered in its dialog, and each answer is previewed', async () => {
  const sent = answering(({ changedLines, acceptedCents }) => {
    const doubt = { question: 'changedLines', message: 'One line is in doubt.', askedCents: 0 };
    const difference = { question: 'acceptedCents', message: 'The difference is $30.00.', askedCents: 30_00 };
    const question = changedLines ? (acceptedCents ? null : difference) : doubt;
    return Response.json({ ...previewed, question });
  });
  await choose();
  expect(screen.getByText('Import 3 lines').closest('button')?.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('The lines in doubt are'), { target: { value: 'new' } });
  fireEvent.click(await screen.findByLabelText('Import all the same, $30.00 apart'));
  await vi.waitFor(() => expect(screen.getByText('Import 3 lines').closest('button')?.disabled).toBe(false));
  fireEvent.click(screen.getByText('Import 3 lines'));
  await screen.findByText(/3 of them new/);
  expect(sent.map(({ input: { changedLines, acceptedCents } }) => [changedLines, acceptedCents])).toEqual([
    [undefined, undefined],
    ['new', undefined],
    ['new', 30_00],
    ['new', 30_00],
  ]);
});

test('the columns of an unknown CSV file are chosen above its first lines, and sent with the import', async () => {
  const unknown = {
    columns: [
      { name: 'Buchung', guess: 'day', dayForms: ['day_first', 'month_first'] },
      { name: 'Wert', guess: null, dayForms: [] },
      { name: 'Text', guess: 'words', dayForms: [] },
    ],
    rows: [['03/04/2026', '1.00', 'GIFT']],
  };
  const sent = answering(({ mapping }) =>
    Response.json(mapping ? { ...previewed, isMapped: true } : { problem: 'Unknown.', unknown }),
  );
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File(['a,b'], 'x.csv')] } });
  const ready = await screen.findByText('Show what’s in it');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('03/04/2026')).toBeTruthy();
  fireEvent.click(ready);
  expect(screen.getByText('Please choose the column of the amount.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('What is Wert?'), { target: { value: 'amount' } });
  expect(screen.getByText('Please say how the days are written.')).toBeTruthy();
  fireEvent.click(ready);
  expect(document.activeElement).toBe(screen.getByLabelText('Days such as 03/04/2026 are written'));
  fireEvent.change(screen.getByLabelText('Days such as 03/04/2026 are written'), { target: { value: 'day_first' } });
  fireEvent.click(ready);
  fireEvent.click(await screen.findByText('Import 3 lines'));
  await screen.findByText(/3 of them new/);
  expect(sent.at(-1)?.input.mapping).toEqual({ columns: ['day', 'amount', 'words'], days: 'day_first' });
});

test('of a file of several accounts the person chooses ours', async () => {
  const accounts = ['XXXX6789', 'XXXX4321'].map((account) => ({
    account,
    lines: 2,
    firstDay: '2026-11-17',
    lastDay: '2026-11-18',
  }));
  const sent = answering(({ accountInFile }) =>
    Response.json(accountInFile ? previewed : { problem: 'Several accounts.', accounts }),
  );
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File(['01,'], 'x.bai')] } });
  fireEvent.change(await screen.findByLabelText('Which one is the trust account?'), { target: { value: '2' } });
  fireEvent.click(await screen.findByText('Import 3 lines'));
  await screen.findByText(/3 of them new/);
  expect(sent.at(-1)?.input.accountInFile).toBe(2);
});

test('a file that does not say its account asks for the number', async () => {
  const error = { code: 'invalid-input', message: 'No.', requestId: 'r', fields: { account: 'Which account is it?' } };
  const sent = answering(({ account }) =>
    account ? Response.json(previewed) : Response.json({ error }, { status: 400 }),
  );
  show();
  fireEvent.click(screen.getByText('Import a statement'));
  fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File(['a,b'], 'november.csv')] } });
  await screen.findByText('Which account is it?');
  fireEvent.change(screen.getByLabelText('Account number'), { target: { value: '3456' } });
  await screen.findByText('CSV of Westpac');
  expect(sent.at(-1)?.input.account).toBe('3456');
});

const ids = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

test('the last imports are shown with their progress or result, and taken back by a press', async () => {
  const each = {
    id: '',
    fileName: '',
    startedAt: '2026-11-26T00:00:00Z',
    done: 0,
    total: 0,
    result: null,
    problem: null,
    questions: [],
    takeBack: 'not_possible',
    isFetched: false,
  };
  const result = { statementId: ids[0], lines: 3, added: 2, matched: 1, open: 4, gapCents: 100 };
  const imports = [
    { ...each, id: ids[0], fileName: 'large.xml', state: 'booking', done: 12_000, total: 100_000 },
    { ...each, id: ids[1], fileName: 'asked.csv', state: 'refused', problem: 'Two lines are in doubt.' },
    { ...each, id: ids[2], fileName: 'small.csv', state: 'done', result, takeBack: 'possible' },
    {
      ...each,
      id: '00000000-0000-4000-8000-000000000004',
      fileName: 'Float 2026-11-25',
      state: 'done',
      result,
      takeBack: 'possible',
      isFetched: true,
    },
  ];
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async ({ pathname }: URL, { body }: RequestInit) => {
    if (pathname.endsWith(listStatementImports.path)) return Response.json({ imports });
    if (!pathname.endsWith(takeBackStatement.path)) return new Promise(() => {});
    sent.push(JSON.parse(String(body)));
    return Response.json({ account: 'XXXX1', lines: 2, cents: 9_50, fetchedDay: null });
  });
  show();
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/large\.xml12,000 of 100,000 lines read/);
  expect(screen.getByRole('progressbar', { name: 'Import of large.xml' })).toBeTruthy();
  expect(rows[1]).toMatch(/asked\.csvNothing imported.*Two lines are in doubt\./);
  expect(rows[2]).toMatch(/small\.csv3 lines, 2 new.*1 matched, 4 of all statements unmatched\./);
  fireEvent.click(screen.getByRole('button', { name: 'Undo the import of Float 2026-11-25' }));
  expect(screen.getByRole('dialog').textContent).toContain('The next night fetches that day again.');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo the import of small.csv' }));
  expect(screen.getByRole('dialog').textContent).toContain('You can import the file again at any time.');
  fireEvent.click(screen.getByRole('button', { name: 'Undo import' }));
  await screen.findByText('2 lines taken back, $9.50 in all.');
  expect(sent).toEqual([{ statementId: ids[0] }]);
});
