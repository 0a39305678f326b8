// @vitest-environment jsdom
import { listBookChecks } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { type Column, List, Table } from './list.tsx';

signedInAs('finance');

test('an export that is refused says why', async () => {
  const rows = [
    { id: '1', kind: 'full_audit', startedAt: '2026-11-25T00:00:00.000Z', tookMs: 900, found: 0, leftOut: 0 },
  ];
  queryClient.setQueryData([listBookChecks.name, {}], { pages: [{ rows, next: null }], pageParams: [undefined] });
  const error = { code: 'too-many-requests', message: 'Too many requests; please wait a little.', requestId: '1' };
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 429 }));
  render(
    <QueryClientProvider client={queryClient}>
      <List
        name="Checks"
        operation={listBookChecks}
        columns={[{ title: 'Check', text: ({ kind }) => kind }]}
        empty="None."
      />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Export as CSV'));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The export failed. Too many requests; please wait a little.',
  );
});

test('pressing anywhere in a row opens it, except on its other links and while selecting text', () => {
  const pressed = vi.fn<(keys: { ctrlKey: boolean }) => void>();
  const columns: Column<{ id: string }>[] = [
    { title: 'Club', text: () => 'Bay Rovers', show: () => <a href="#club">Bay Rovers</a> },
    {
      title: 'Payment',
      text: ({ id }) => id,
      opens: true,
      show: ({ id }) => (
        <button type="button" onClick={pressed}>
          {id}
        </button>
      ),
    },
    { title: 'Amount', text: () => '$20.00' },
  ];
  render(<Table name="Payments" columns={columns} rows={[{ id: 'PR1' }]} keyOf={({ id }) => id} />);
  fireEvent.click(screen.getByText('$20.00'), { ctrlKey: true });
  expect(pressed.mock.calls).toEqual([[expect.objectContaining({ ctrlKey: true })]]);
  fireEvent.click(screen.getByText('PR1'));
  expect(pressed).toHaveBeenCalledTimes(2);
  fireEvent.click(screen.getByText('Bay Rovers'));
  expect(pressed).toHaveBeenCalledTimes(2);
  getSelection()?.selectAllChildren(screen.getByText('$20.00'));
  fireEvent.click(screen.getByText('$20.00'));
  expect(pressed).toHaveBeenCalledTimes(2);
});
