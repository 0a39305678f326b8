// @vitest-environment jsdom
import { listBookChecks } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { List } from './list.tsx';

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
