// @vitest-environment jsdom
import { listPayments } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useSearchParams } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { useFilter } from '#api/use-list.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { List } from './list.tsx';

signedInAs('finance');

function Page() {
  const { filter } = useFilter('state', 'from');
  const [params] = useSearchParams();
  return (
    <>
      <output aria-label="Address">{params.toString()}</output>
      <List
        name="Payments"
        operation={listPayments}
        filter={filter}
        columns={[{ title: 'Reference', text: ({ reference }) => reference }]}
        empty="No payment."
      />
    </>
  );
}

test.each([
  ['/?state=zzz&by=weeks', 'This filter is not valid: state.'],
  ['/?state=zzz&from=yesterday&by=weeks', 'These filters are not valid: state, from.'],
])('at %s a list names the invalid filter and clears it', async (address, words) => {
  vi.stubGlobal('fetch', async ({ searchParams }: URL) => {
    const { success, error } = listPayments.input.safeParse(Object.fromEntries(searchParams));
    if (success) return Response.json({ rows: [], next: null, silentServers: [] });
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0]), message]));
    const refusal = { code: 'invalid-input', message: 'No.', requestId: '1', fields };
    return Response.json({ error: refusal }, { status: 400 });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect((await screen.findByText(/not valid/)).textContent).toBe(words);
  fireEvent.click(screen.getByText('Clear filters'));
  expect(await screen.findByText('No payment.')).toBeTruthy();
  expect(screen.getByLabelText('Address').textContent).toBe('by=weeks');
});
