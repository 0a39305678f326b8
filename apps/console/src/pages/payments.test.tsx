// @vitest-environment jsdom
import { accountNames, type PaymentTrace, retrievePayment } from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import Payments from './payments.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const at = '2026-11-25T00:00:00.000Z';
const coffee = { day: '2026-11-24', purchaseCents: 430, countedCents: 70 };

/** Puts a debit's trace into the cache as if read. */
function known(reference: string, trace: Partial<Record<keyof PaymentTrace, unknown>>): void {
  const facts = {
    reference,
    kind: 'debit',
    state: 'cleared',
    amountCents: 140,
    refundableCents: 140,
    clubOwesCents: 0,
  };
  const none = { purchases: [], related: [], entries: [], mails: [], notes: [], waiting: [], plannedAt: at };
  const answer = { ...facts, ...none, returnCode: null, submittingAt: null, submittedAt: null, unknownSince: null };
  const ends = { parkedAt: null, outcomeAt: null, attempts: 0, ...trace };
  queryClient.setQueryData([retrievePayment.name, 'answer', { reference }], { ...answer, ...ends });
}

function open(reference: string): void {
  queryClient.setQueryData(sessionQuery.queryKey, {
    id: 'fay',
    roles: ['finance'],
    clubs: [],
    isByLink: false,
  } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[`/payments/${reference}`]}>
        <Routes>
          <Route path="/payments/*" element={<Payments />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('another payment is shown without rows and dialogs of the previous one', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const other = { relation: 'repeated_by', kind: 'debit', reference: 'RU2', amountCents: 95, state: 'cleared' };
  known('RU1', { purchases: [coffee, coffee], related: [{ ...other, plannedOn: '2026-11-27' }] });
  known('RU2', { purchases: [{ ...coffee, day: '2026-11-26' }], refundableCents: 95, amountCents: cents(95) });
  open('RU1');
  expect(screen.getByLabelText('Purchases behind it').querySelectorAll('tbody tr')).toHaveLength(2);
  fireEvent.click(screen.getByText('Refund'));
  fireEvent.click(screen.getByText('RU2'));
  expect(screen.getByText(/Debit of \$0\.95/)).toBeTruthy();
  expect(screen.queryByLabelText('Amount')).toBeNull();
  expect(screen.getByLabelText('Purchases behind it').querySelectorAll('tbody tr')).toHaveLength(1);
});

test('the mails of a payment are named as on the page of mails', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  known('RU1', { mails: [{ about: 'debit_notice', sentAt: at, isGivenUp: false, failure: null }] });
  open('RU1');
  expect(screen.getByLabelText('Mails about it').querySelector('tbody td')?.textContent).toBe('Before a debit');
});

test('the accounts of a payment are named as on the page Reconciliation', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  known('RU1', { entries: [{ bookedOn: '2026-11-25', transfer: 'cleared', account: 'club_payable', cents: -140 }] });
  open('RU1');
  expect(screen.getByText(accountNames.owed_to_clubs ?? '')).toBeTruthy();
});
