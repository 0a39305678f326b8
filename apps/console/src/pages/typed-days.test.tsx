// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { RetireDialog } from './clubs/retire-dialog.tsx';
import { Statement } from './clubs/statement.tsx';
import Reconciliation from './reconciliation.tsx';

signedInAs('owner');
beforeEach(() => {
  const refusal = { error: { code: 'invalid-input', message: 'No.', requestId: '1', fields: { day: 'A day.' } } };
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 400 }));
});

const open = (page: ReactNode, address = '/') =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
const club = { id: 'c', name: 'Bay Rovers', retiredFrom: null, today: '2026-11-27' } as never;

test('a club cannot be retired on a day with a five-digit year', () => {
  open(<RetireDialog club={club} onClose={() => undefined} />);
  for (const [typed, words] of [
    ['20261-11-30', /Please choose a day/],
    ['2026-11-30', /From Mon 30 Nov 2026/],
  ] as const) {
    fireEvent.change(screen.getByLabelText('From'), { target: { value: typed } });
    expect(screen.getByText(words)).toBeTruthy();
  }
});

test.each(['/?month=november', '/?month=2026-13'])('a statement at %s shows the present month', (address) => {
  open(<Statement club={club} />, address);
  expect(screen.getByLabelText<HTMLSelectElement>('Month').value).toBe('2026-11');
});

test('an invalid day in the address is not reconciled, and says so', async () => {
  open(<Reconciliation />, '/?day=yesterday');
  fireEvent.click(screen.getByText('Reconcile again'));
  fireEvent.click(screen.getByText('Reconcile'));
  await screen.findByText('A day.');
});
