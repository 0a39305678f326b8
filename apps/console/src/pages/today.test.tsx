// @vitest-environment jsdom
import { listApprovals, retrieveToday } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import TodayPage from './today.tsx';

signedInAs('owner');

/** Opens the page on a day with only this event. */
function open(happened: object): void {
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
    approvals: 0,
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
    ...happened,
  } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TodayPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('unreadable requests are not called requests for others', async () => {
  open({ approvals: 3 });
  expect(screen.queryByText(/for others to agree to/)).toBeNull();
  await screen.findByText(/The server does not answer/, {}, { timeout: 5_000 });
  expect(screen.queryByText(/for others to agree to/)).toBeNull();
});

test('a lapsed request is shown with its asker and time, as is a change that the contact did not confirm', () => {
  const askedAt = new Date('2026-11-18T00:00:00.000Z');
  const lapsed = {
    id: '1',
    act: 'club_bank_details',
    summary: 'Bank details of Rovers that end in 678',
    lines: [],
    state: 'lapsed',
    isUnderWay: false,
    askedBy: 'Terry Treasurer',
    askedAt,
    expiresAt: new Date('2026-11-25T00:00:00.000Z'),
    decidedBy: null,
    failure: null,
    isOwn: false,
  };
  const change = { id: '2', clubId: '3', club: 'Divers', askedBy: 'Fay', askedAt, lapsedAt: new Date('2026-12-02') };
  const answer = { approvals: [lapsed], leftOut: 0, unconfirmedChanges: [change] };
  queryClient.setQueryData([listApprovals.name, 'answer', { limit: 50 }], answer as never);
  open({});
  const section = screen.getByRole('heading', { name: 'Decided or lapsed lately' }).closest('section');
  const words = section?.textContent.replaceAll('\u00a0', ' ');
  expect(words).toContain(
    'Asked for by Terry Treasurer, Wed 18 Nov, 11:00 am; lapsed Wed 25 Nov, 11:00 am, as nobody decided',
  );
  expect(words).toContain(
    'The change of bank details of Divers lapsed Wed 2 Dec, 11:00 am: the contact did not confirm it. Asked for by Fay,',
  );
  expect(screen.getByRole('link', { name: 'See the club' }).getAttribute('href')).toBe('/clubs/3');
});
