// @vitest-environment jsdom
import type { Approval, Today } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { Decisions } from './today-decisions.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const today = (approvals: number) =>
  ({
    approvals,
    suspendedTenants: [],
    unanswered: [],
    silentServers: [],
    failedPayouts: { payouts: 0, cents: 0 },
    peopleNeeded: 2,
  }) as unknown as Today;

const approval = {
  id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001',
  act: 'refund',
  summary: 'Refund $60',
  lines: [],
  state: 'asked',
  isUnderWay: false,
  askedBy: 'Fay',
  askedAt: new Date('2026-11-25T00:00:00.000Z'),
  expiresAt: new Date('2026-12-02T00:00:00.000Z'),
  decidedBy: null,
  decidedAt: null,
  failure: null,
  isOwn: false,
} as Approval;

test('requests not shown yet are counted apart from requests for others, and shown when asked for', () => {
  const onMore = vi.fn();
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <Decisions today={today(17)} approvals={[approval]} leftOut={13} onMore={onMore} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
  expect(screen.getByText(/13 older requests are not shown yet/)).toBeTruthy();
  expect(screen.getByText('3 requests for others to agree to or refuse.')).toBeTruthy();
  fireEvent.click(screen.getByText('Show more'));
  expect(onMore).toHaveBeenCalledOnce();
});
