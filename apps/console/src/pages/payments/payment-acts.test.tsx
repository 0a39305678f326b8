// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { PaymentActs } from './payment-acts.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a refund of nothing, or of more than is left, is refused under its amount and not sent', async () => {
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal('fetch', fetched);
  const fay = { id: 'fay', roles: ['finance'], clubs: [], isByLink: false };
  queryClient.setQueryData(sessionQuery.queryKey, fay as never);
  const trace = { reference: 'RU1', kind: 'debit', state: 'cleared', refundableCents: 43_50, clubOwesCents: 0 };
  render(
    <QueryClientProvider client={queryClient}>
      <PaymentActs trace={trace as never} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Refund'));
  const field = screen.getByLabelText<HTMLInputElement>('Amount');
  const press = screen.getByText('Refund $43.50').closest('button');
  for (const [typed, action, problem] of [
    ['50', 'Refund $50.00', 'Only $43.50 is left'],
    ['', 'Refund', 'Please enter dollars such as 43.50'],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    expect(press?.textContent).toBe(action);
    (document.activeElement as HTMLElement).blur();
    fireEvent.submit(field);
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(problem);
  }
  expect(fetched).not.toHaveBeenCalled();
  expect(screen.queryByRole('alert')).toBeNull();
});
