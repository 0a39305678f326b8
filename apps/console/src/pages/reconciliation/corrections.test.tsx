// @vitest-environment jsdom
import { correctLedger } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { Corrections } from './corrections.tsx';

signedInAs('finance');

const sent: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async ({ pathname }: URL, { body }: RequestInit) => {
    if (!pathname.endsWith(correctLedger.path)) return Response.json({ rows: [], next: null });
    sent.push(JSON.parse(String(body)));
    return Response.json({ asked: null });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Corrections />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Correct the ledger'));
});

const optionsOf = (label: string) =>
  [...screen.getByLabelText(label).querySelectorAll('option')].map(({ text }) => text);

test('a correction opens without accounts, and never offers one of them on both sides', () => {
  for (const label of ['Debit', 'Credit']) expect(screen.getByLabelText<HTMLSelectElement>(label).value).toBe('');
  fireEvent.change(screen.getByLabelText('Debit'), { target: { value: 'fees' } });
  expect(optionsOf('Credit')).not.toContain('Fees');
  fireEvent.change(screen.getByLabelText('Credit'), { target: { value: 'suspense' } });
  expect(optionsOf('Debit')).toContain('Fees');
  expect(optionsOf('Debit')).not.toContain('Suspense: not explained yet');
});

test('a correction sends the accounts that were chosen', async () => {
  fireEvent.change(screen.getByLabelText('Debit'), { target: { value: 'fees' } });
  fireEvent.change(screen.getByLabelText('Credit'), { target: { value: 'suspense' } });
  fireEvent.change(screen.getByLabelText('Amount in dollars'), { target: { value: '2.50' } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'booked twice' } });
  fireEvent.click(screen.getByText('Correct'));
  await vi.waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ debit: 'fees', credit: 'suspense', cents: 250 })]),
  );
});
