// @vitest-environment jsdom
import { retrieveToday } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import TodayPage from './today.tsx';

signedInAs('owner');

test('requests that cannot be read are not called those of others', async () => {
  queryClient.setQueryData([retrieveToday.name, 'answer', {}], {
    day: '2026-11-25',
    nextRunAt: new Date('2026-11-26T19:00:00.000Z'),
    lastRun: null,
    suspension: null,
    missedRun: null,
    suspendedTenants: [],
    unanswered: [],
    failedPayouts: { payouts: 0, cents: 0 },
    silentServers: [],
    bankFiles: null,
    approvals: 3,
    peopleNeeded: 2,
    cameBack: [],
    alarms: [],
    providers: [],
    queues: {
      workDue: { count: 0, isMore: false },
      mailsWaiting: { count: 0, isMore: false },
      mailsUndelivered: { count: 0, isMore: false },
      notifications: 0,
      webhooksParked: 0,
      workLateSince: null,
    },
  } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TodayPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.queryByText(/for others to agree to/)).toBeNull();
  await screen.findByText(/The server does not answer/, {}, { timeout: 5_000 });
  expect(screen.queryByText(/for others to agree to/)).toBeNull();
});
