import { skipDebitByLink, stopDebitNotices } from '@sparechange/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { logsAnError } from '../testing/logged.ts';
import { answer, calls, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const token = `0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604.2026-11-25.${'a'.repeat(43)}`;

test('opening the link asks nothing of the server; the button skips, and again undoes', async () => {
  server.use(
    answer(skipDebitByLink, ({ isSkipped }) => ({
      run: '2026-11-25',
      isSkipped,
      date: isSkipped ? '2026-11-27' : '2026-11-25',
    })),
  );
  const user = visit(`/skip-debit/${token}`);
  expect(await screen.findByText(/Your round-ups are debited on Wed 25 Nov\./)).toBeVisible();
  expect(calls).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Skip this debit' }));
  expect(await screen.findByText(/What waits goes with the debit of Fri 27 Nov/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Skip this debit' })).toBeVisible();
  expect(callsOf(skipDebitByLink).map(({ input }) => input)).toEqual([
    { token, isSkipped: true },
    { token, isSkipped: false },
  ]);
});

test.each([
  [409, 'conflict', 'This debit has begun, so it can no longer be changed.'],
  [404, 'not-found', 'This link is not complete. Please open it from the mail again.'],
  [503, 'unavailable', 'Something went wrong, please try again'],
] as const)('a refusal with %i says why', async (status, code, words) => {
  logsAnError();
  server.use(refuse(skipDebitByLink, status, code));
  const user = visit('/skip-debit/half-a-link');
  await user.click(await screen.findByRole('button', { name: 'Skip this debit' }));
  expect(await screen.findByText(words)).toBeVisible();
});

test('the mails are stopped by the button, not by opening the link', async () => {
  server.use(answer(stopDebitNotices, {}));
  const user = visit('/debit-mails/token');
  const stop = await screen.findByRole('button', { name: 'Stop these mails' });
  expect(calls).toEqual([]);
  await user.click(stop);
  expect(await screen.findByText(/You get no more of these mails/)).toBeVisible();
  expect(callsOf(stopDebitNotices)[0]?.input).toEqual({ token: 'token' });
});

test('a link to stop mails that is not ours says so', async () => {
  logsAnError();
  server.use(refuse(stopDebitNotices, 404, 'not-found'));
  const user = visit('/debit-mails/token');
  await user.click(await screen.findByRole('button', { name: 'Stop these mails' }));
  expect(await screen.findByText(/This link is not complete/)).toBeVisible();
});
