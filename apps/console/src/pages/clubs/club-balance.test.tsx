// @vitest-environment jsdom
import {
  correctLedger,
  listCorrections,
  retrieveClubBalance,
  retrievePendingPayouts,
  setClubReserve,
  writeOffClub,
} from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { ClubBalance } from './club-balance.tsx';

signedInAs('finance');

const clubId = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001';
const keyOf = ({ name }: { name: string }) => [name, 'answer', { clubId }];

test.each([
  ['Write off', writeOffClub, []],
  ['Change', setClubReserve, []],
  ['Correct its balance', correctLedger, ['Amount in dollars']],
])('after "%s" the amount to be paid to the club is refetched', async (button, operation, empty) => {
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (pathname.endsWith(operation.path)) return Response.json({ asked: null });
    if (pathname.endsWith(retrieveClubBalance.path))
      return Response.json({ owesCents: 56_05, reserveCents: 0, reservedCents: 0 });
    return Response.json({ rows: [], next: null });
  });
  queryClient.setQueryData(keyOf(retrieveClubBalance), { owesCents: 56_05, reserveCents: 0, reservedCents: 0 });
  queryClient.setQueryData(keyOf(retrievePendingPayouts), { waitingCents: -56_05, reservedCents: 0 });
  queryClient.setQueryData([listCorrections.name, { clubId }], { pages: [{ rows: [], next: null }], pageParams: [] });
  render(
    <QueryClientProvider client={queryClient}>
      <ClubBalance club={{ id: clubId, name: 'Bay Rovers' } as never} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText(button));
  for (const label of empty) fireEvent.change(screen.getByLabelText(label), { target: { value: '5.00' } });
  const form = screen.getByRole('dialog').querySelector('form');
  if (form) fireEvent.submit(form);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(queryClient.getQueryState(keyOf(retrievePendingPayouts))?.isInvalidated).toBe(true);
});
