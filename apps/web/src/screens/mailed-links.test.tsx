import { setAdviceFrequencyByLink, setDebitNoticesByLink, skipDebitByLink } from '@sparechange/contract';
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
  expect(await screen.findByText(/Your round-ups will be added to the debit on Fri 27 Nov/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Skip this debit' })).toBeVisible();
  expect(callsOf(skipDebitByLink).map(({ input }) => input)).toEqual([
    { token, isSkipped: true },
    { token, isSkipped: false },
  ]);
});

test('a skip that could not be undone is still shown, and undone by the next press', async () => {
  logsAnError();
  server.use(answer(skipDebitByLink, { run: '2026-11-25', isSkipped: true, date: '2026-11-27' }));
  const user = visit(`/skip-debit/${token}`);
  await user.click(await screen.findByRole('button', { name: 'Skip this debit' }));
  server.use(refuse(skipDebitByLink, 503, 'unavailable'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible();
  expect(screen.getByText(/^Nothing is debited on Wed 25 Nov\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(callsOf(skipDebitByLink).map(({ input }) => input)).toMatchObject([
    { isSkipped: true },
    { isSkipped: false },
    { isSkipped: false },
  ]);
});

test.each([
  [409, 'conflict', 'This debit has begun, so it can no longer be changed.'],
  [404, 'not-found', 'This link is not complete. Please open it from the email again.'],
  [503, 'unavailable', 'Something went wrong, please try again'],
] as const)('a refusal with %i says why', async (status, code, words) => {
  logsAnError();
  server.use(refuse(skipDebitByLink, status, code));
  const user = visit('/skip-debit/half-a-link');
  await user.click(await screen.findByRole('button', { name: 'Skip this debit' }));
  expect(await screen.findByText(words)).toBeVisible();
});

/** Expects a page where one press on Save takes nothing from anybody. */
async function expectNothingChosen(): Promise<void> {
  for (const choice of await screen.findAllByRole('radio')) expect(choice).not.toBeChecked();
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(calls).toEqual([]);
}

test('emails are chosen by the button, not by opening the link; at first nothing is chosen', async () => {
  server.use(answer(setDebitNoticesByLink, {}));
  const user = visit('/debit-mails/token');
  await expectNothingChosen();
  await user.click(screen.getByRole('radio', { name: 'Never' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^Saved\./)).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Weekly' }));
  expect(screen.queryByText(/^Saved\./)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^Saved\./)).toBeVisible();
  expect(callsOf(setDebitNoticesByLink).map(({ input }) => input)).toEqual([
    { token: 'token', debitNotices: 'never' },
    { token: 'token', debitNotices: 'weekly' },
  ]);
});

test('a link to choose emails that is not ours says so', async () => {
  logsAnError();
  server.use(refuse(setDebitNoticesByLink, 404, 'not-found'));
  const user = visit('/debit-mails/token');
  await user.click(await screen.findByRole('radio', { name: 'Never' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/This link is not complete/)).toBeVisible();
});

test('a treasurer chooses the frequency of remittance advices', async () => {
  server.use(answer(setAdviceFrequencyByLink, { club: 'Riverside Rovers' }));
  const user = visit('/advice-mails/token');
  await expectNothingChosen();
  await user.click(screen.getByRole('radio', { name: 'Monthly' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^Saved\./)).toBeVisible();
  expect(callsOf(setAdviceFrequencyByLink).map(({ input }) => input)).toEqual([
    { token: 'token', frequency: 'monthly' },
  ]);
});
