import {
  getUser,
  type NextDebit,
  retrieveNextDebit,
  setBalanceFloor,
  setDebitNotices,
  setDebitSkipped,
} from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { logsAnError } from '../testing/logged.ts';
import { aNextDebit, aSupporter, cdrid } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

async function openNextDebit(changes: Partial<NextDebit> = {}) {
  server.use(answer(retrieveNextDebit, { nextDebit: aNextDebit(changes) }));
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: /^Next debit Wed 25 Nov: \$3.42/ }));
  return { user, dialog: await screen.findByRole('dialog', { name: 'Next debit' }) };
}

test('the line opens day, amount, account, statement text and purchases', async () => {
  const { dialog } = await openNextDebit();
  expect(await within(dialog).findByText('SPARECHANGE RU4F09A1C')).toBeVisible();
  expect(dialog).toHaveTextContent('WhenWed 25 NovSo far$3.42Taken fromEveryday XXXXX0001');
  const purchases = within(dialog).getAllByRole('listitem');
  expect(purchases.map((purchase) => purchase.textContent)).toEqual([
    'Riverside CoffeeTue 24 Nov, $4.35$0.65',
    'Corner PantryMon 23 Nov, $17.23$2.77',
  ]);
});

test('purchases have the names that history gives them', async () => {
  const raw = ['PAYPAL *INKWELLAPPS 4029357733 AU', '18:47 GUMTREE GROCER 0882'];
  const purchases = raw.map((description) => ({
    date: '2026-11-24',
    description,
    amount: '4.35',
    roundUpCents: cents(65),
  }));
  const { dialog } = await openNextDebit({ purchases });
  expect(await within(dialog).findByText('Inkwellapps')).toBeVisible();
  expect(within(dialog).getByText('Gumtree Grocer')).toBeVisible();
});

test('skipping says when the amount is debited instead, and can be undone', async () => {
  server.use(
    answer(setDebitSkipped, ({ isSkipped }) => ({
      nextDebit: aNextDebit({ isSkipped, date: isSkipped ? '2026-11-27' : '2026-11-25' }),
    })),
  );
  const { user, dialog } = await openNextDebit();
  server.use(
    answer(getUser, {
      userRecord: {
        document: aSupporter({ nextDebit: { date: '2026-11-27', amountCents: 342, skips: '2026-11-25' } }),
      },
    }),
  );
  await user.click(await within(dialog).findByRole('button', { name: 'Skip this debit' }));
  expect(await within(dialog).findByRole('status')).toHaveTextContent(
    'You are skipping Wed 25 Nov. These round-ups will be added to the debit on Fri 27 Nov.',
  );
  await user.click(within(dialog).getByRole('button', { name: 'Undo skip' }));
  expect(await within(dialog).findByRole('button', { name: 'Skip this debit' })).toBeVisible();
  expect(callsOf(setDebitSkipped).map(({ input }) => input)).toEqual([
    { cdrid, date: '2026-11-25', isSkipped: true },
    { cdrid, date: '2026-11-25', isSkipped: false },
  ]);
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(
    await screen.findByRole('button', { name: 'Next debit Fri 27 Nov: $3.42 Wed 25 Nov is skipped' }),
  ).toBeVisible();
});

test('a debit read before it was skipped, and arriving after it, is shown as skipped all the same', async () => {
  const { user, dialog } = await openNextDebit();
  await within(dialog).findByRole('button', { name: 'Skip this debit' });
  let arrive = () => {};
  server.use(
    answer(
      retrieveNextDebit,
      () =>
        new Promise((resolve) => {
          arrive = () => resolve({ nextDebit: aNextDebit() });
        }),
    ),
    answer(setDebitSkipped, { nextDebit: aNextDebit({ isSkipped: true, date: '2026-11-27' }) }),
  );
  const asked = callsOf(retrieveNextDebit).length;
  window.dispatchEvent(new Event('visibilitychange')); // back from another tab
  await waitFor(() => expect(callsOf(retrieveNextDebit).length).toBeGreaterThan(asked));
  await user.click(within(dialog).getByRole('button', { name: 'Skip this debit' }));
  expect(await within(dialog).findByRole('button', { name: 'Undo skip' })).toBeVisible();
  arrive();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(within(dialog).getByRole('button', { name: 'Undo skip' })).toBeVisible();
});

test('a deferred last debit is explained, and the floor can be chosen', async () => {
  server.use(answer(setBalanceFloor, ({ balanceFloorCents }) => ({ nextDebit: aNextDebit({ balanceFloorCents }) })));
  const { user, dialog } = await openNextDebit({ waited: { date: '2026-11-23', because: 'below floor' } });
  expect(await within(dialog).findByText(/^Nothing was taken on Mon 23 Nov/)).toHaveTextContent(
    'Nothing was taken on Mon 23 Nov, because there was less in your account than you chose. It goes with this debit.',
  );
  expect(within(dialog).getByRole('radio', { name: '$50' })).toBeChecked();
  await user.click(within(dialog).getByRole('radio', { name: 'Off' }));
  expect(await within(dialog).findByText('Debits are taken whatever your balance is.')).toBeVisible();
  expect(callsOf(setBalanceFloor).map(({ input }) => input)).toEqual([{ cdrid, balanceFloorCents: 0 }]);
});

test('the times of emails about debits are chosen and explained', async () => {
  server.use(answer(setDebitNotices, ({ debitNotices }) => ({ nextDebit: aNextDebit({ debitNotices }) })));
  const { user, dialog } = await openNextDebit();
  const choice = await within(dialog).findByRole('radiogroup', { name: 'Email me about my debits...' });
  expect(within(choice).getByRole('radio', { name: 'Each debit' })).toBeChecked();
  for (const [name, words] of [
    ['Weekly', /^Once a week, before its first debit/],
    ['Unusual', /^Only when it's more than twice your usual/],
    ['Never', /^No emails before debits/],
  ] as const) {
    await user.click(within(choice).getByRole('radio', { name }));
    expect(await within(dialog).findByText(words)).toBeVisible();
  }
  expect(callsOf(setDebitNotices).map(({ input }) => input)).toEqual(
    ['weekly', 'unusual', 'never'].map((debitNotices) => ({ cdrid, debitNotices })),
  );
});

test('an unsaved choice of emails reverts and says so', async () => {
  logsAnError();
  server.use(refuse(setDebitNotices, 503, 'unavailable'));
  const { user, dialog } = await openNextDebit();
  await user.click(await within(dialog).findByRole('radio', { name: 'Weekly' }));
  expect(await within(dialog).findByText('Something went wrong, please try again')).toBeVisible();
  expect(within(dialog).getByRole('radio', { name: 'Each debit' })).toBeChecked();
});

test('a skip with a lost answer is repeated, and not called failed', async () => {
  const { user, dialog } = await openNextDebit();
  const skipped = { nextDebit: aNextDebit({ isSkipped: true, date: '2026-11-27' }) };
  let asked = 0;
  server.use(
    http.post(`*/api${setDebitSkipped.path}`, () => {
      asked += 1;
      return asked === 1 ? HttpResponse.error() : HttpResponse.json(skipped);
    }),
    answer(retrieveNextDebit, skipped),
  );
  await user.click(await within(dialog).findByRole('button', { name: 'Skip this debit' }));
  expect(await within(dialog).findByRole('button', { name: 'Undo skip' })).toBeVisible();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(within(dialog).queryByText('Something went wrong, please try again')).not.toBeInTheDocument();
});

test('a skip that comes too late says so', async () => {
  logsAnError();
  server.use(refuse(setDebitSkipped, 409, 'conflict'));
  const { user, dialog } = await openNextDebit();
  await user.click(await within(dialog).findByRole('button', { name: 'Skip this debit' }));
  expect(await within(dialog).findByText('This debit has begun, so it can no longer be changed.')).toBeVisible();
});

test('a failed load can be retried', async () => {
  server.use(refuse(retrieveNextDebit, 404, 'not-found'));
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: /^Next debit/ }));
  expect(await screen.findByText(/Failed to load data/)).toBeVisible();
  server.use(answer(retrieveNextDebit, { nextDebit: aNextDebit({ purchases: [] }) }));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/^No round-ups yet/)).toBeVisible();
});
