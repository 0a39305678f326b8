// @vitest-environment jsdom
import { downloadClubStatement } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { Statement } from './statement.tsx';

signedInAs('finance');

const club = { id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001', today: '2026-11-27' };
const nothing = { payouts: [], corrections: [], supporters: [], heldBackCents: 0, totalCents: 0 };

test('the error of one month’s file is not shown for another month', async () => {
  const error = { code: 'unavailable', message: 'Please try again in a minute.', requestId: '1' };
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    pathname.endsWith(downloadClubStatement.path)
      ? Response.json({ error }, { status: 503 })
      : Response.json({ ...nothing, supportersInAll: 1 }),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Statement club={{ ...club, raisedSince: '2026-09-30' } as never} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByText('Save as CSV'));
  await screen.findByText('Please try again in a minute.');
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '2026-10' } });
  await screen.findByText('Save as CSV');
  expect(screen.queryByText('Please try again in a minute.')).toBeNull();
});

test.each([
  ['2026-09-30', ['November 2026', 'October 2026', 'September 2026']],
  ['2026-11-02', ['November 2026']],
  [null, ['November 2026']],
])('the statements of a club that raises since %s begin with that month', (raisedSince, months) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Statement club={{ ...club, raisedSince } as never} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect([...screen.getByLabelText<HTMLSelectElement>('Month').options].map(({ text }) => text)).toEqual(months);
});
