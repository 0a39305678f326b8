import { retrieveHistory, retrieveTotalDebits } from '@sparechange/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aRoundUp } from '../testing/makers.ts';
import { answer, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

beforeEach(() => {
  server.use(answer(retrieveHistory, { bankDataDeletedOn: null, debits: [], roundUphistory: [] }));
});

const months = (documents: { monthYear: string; totalDebitAmount: number }[]) =>
  answer(retrieveTotalDebits, { debitHistory: { documents } });

test('months are read out with their donations, also one without', async () => {
  server.use(
    months([
      { monthYear: 'Nov-26', totalDebitAmount: 1842 },
      { monthYear: 'Sep-26', totalDebitAmount: 921 },
    ]),
  );
  visit('/history', { isSignedIn: true });
  const card = await screen.findByRole('region', { name: 'Month by Month' });
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((month) => month.textContent),
  ).toEqual(['Nov-26 $18.42', 'Oct-26 $0.00', 'Sep-26 $9.21']);
});

test.each([
  ['nothing was given yet', months([])],
  ['the months do not load', refuse(retrieveTotalDebits, 503, 'unavailable')],
])('when %s there is no picture, and the rest is there', async (_when, handler) => {
  server.use(handler);
  visit('/history', { isSignedIn: true });
  expect(await screen.findByText(/No round-ups yet/)).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Month by Month' })).not.toBeInTheDocument();
});

test('a history that leaves older purchases out says so below its last line', async () => {
  server.use(
    months([]),
    answer(retrieveHistory, {
      bankDataDeletedOn: null,
      debits: [],
      roundUphistory: [aRoundUp()],
      olderLinesLeftOut: true,
    }),
  );
  visit('/history', { isSignedIn: true });
  expect(await screen.findByText(/Older purchases are not listed here/)).toBeVisible();
});

test('data that were deleted because a consent ran out are not said to be deleted as asked', async () => {
  server.use(months([]), answer(retrieveHistory, { bankDataDeletedOn: '2026-10-02', debits: [], roundUphistory: [] }));
  visit('/history', { isSignedIn: true });
  expect(await screen.findByText(/^Your bank data was deleted on/)).toHaveTextContent(
    'Your bank data was deleted on 2-Oct-26. Your donations are still counted above.',
  );
});

test('a line on which the bank wrote nothing has a button with a name', async () => {
  const roundUphistory = [aRoundUp({ description: 'EFTPOS 12/11 ' }), aRoundUp({ lineId: 'blank', description: ' ' })];
  server.use(months([]), answer(retrieveHistory, { bankDataDeletedOn: null, debits: [], roundUphistory }));
  visit('/history', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'No description' })).toBeVisible();
});
