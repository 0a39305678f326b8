import {
  getUser,
  retrieveWeeklyOutlook,
  setPaused,
  setRoundUpAmount,
  setSavingsAccount,
  setWeeklyLimit,
} from '@sparechange/contract';
import { addDays, cents, isoDate, longDay, sydneyDay } from '@sparechange/domain';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { logsAnError } from '../testing/logged.ts';
import { cdrid, userOf } from '../testing/makers.ts';
import { openDashboard } from '../testing/open-dashboard.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';

test('pausing asks first, then sends setPaused', async () => {
  server.use(answer(setPaused, ({ isUserPausedRoundUp }) => userOf({ isUserPausedRoundUp, nextDebit: null })));
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Round-Ups On' }));
  expect(callsOf(setPaused)).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
  expect(callsOf(setPaused)[0]?.input).toEqual({ cdrid, isUserPausedRoundUp: true });
  expect(screen.queryByText('Round-Up to the nearest...')).not.toBeInTheDocument();
});

test('a pause may end on a day that is chosen', async () => {
  const until = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const paused = userOf({
    isUserPausedRoundUp: true,
    pausedUntil: '2026-12-04',
    nextDebit: null,
    waitsForResumeCents: cents(85),
  });
  server.use(answer(setPaused, paused));
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Round-Ups On' }));
  const field = await screen.findByLabelText('Pause until');
  expect(field).toHaveAccessibleDescription("Optional. We'll resume your round-ups that day and email you.");
  await user.type(field, until);
  expect(field).toHaveAccessibleDescription(`Your round-ups resume on ${longDay(isoDate(until))} and we email you.`);
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Paused until Fri 4 Dec, when they resume. $0.85 waits until then.')).toBeVisible();
  expect(callsOf(setPaused)[0]?.input).toEqual({ cdrid, isUserPausedRoundUp: true, until });
});

test('a half-typed, past or too distant day is not treated as a pause without an end', async () => {
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Round-Ups On' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Pause until');
  const confirm = () => user.click(screen.getByRole('button', { name: 'Confirm' }));
  vi.spyOn(field, 'validity', 'get').mockReturnValueOnce({ ...field.validity, badInput: true });
  await confirm();
  expect(field).toHaveAccessibleDescription('Please enter the whole day, or clear it');
  for (const days of [0, 400]) {
    await user.clear(field);
    await user.type(field, addDays(sydneyDay(new Date()), days));
    await confirm();
    expect(field).toHaveAccessibleDescription(/^Please choose a day from /);
  }
  expect(callsOf(setPaused)).toEqual([]);
});

test('a failing resume says so and stays paused', async () => {
  logsAnError();
  server.use(refuse(setPaused, 503, 'unavailable'));
  const user = openDashboard({ isUserPausedRoundUp: true });
  await user.click(await screen.findByRole('switch', { name: 'Round-Ups Paused' }));
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
});

test('a record read before a setting was saved, and arriving after it, does not turn the switch back', async () => {
  const user = openDashboard();
  const turn = await screen.findByRole('switch', { name: 'Round-Ups On' });
  let arrive = () => {};
  server.use(
    answer(
      getUser,
      () =>
        new Promise((resolve) => {
          arrive = () => resolve(userOf());
        }),
    ),
    answer(setPaused, userOf({ isUserPausedRoundUp: true, nextDebit: null })),
  );
  const asked = callsOf(getUser).length;
  window.dispatchEvent(new Event('visibilitychange')); // back from another tab
  await waitFor(() => expect(callsOf(getUser).length).toBeGreaterThan(asked));
  await user.click(turn);
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
  await waitFor(() => expect(callsOf(setPaused)).toHaveLength(1));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  arrive();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
});

test('an amount of "0" means paused', async () => {
  openDashboard({ roundupAmountCents: '0' });
  expect(await screen.findByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
});

test('the round-up amount is saved, and falls back when saving fails', async () => {
  logsAnError();
  server.use(answer(setRoundUpAmount, ({ roundupAmountCents }) => userOf({ roundupAmountCents })));
  const user = openDashboard();
  await user.click(await screen.findByRole('radio', { name: '$2' }));
  await waitFor(() => expect(callsOf(setRoundUpAmount)[0]?.input).toEqual({ roundupAmountCents: 200, cdrid }));
  await waitFor(() => expect(screen.getByRole('radio', { name: '$2' })).toBeChecked());
  server.use(refuse(setRoundUpAmount, 503, 'unavailable'), answer(getUser, userOf({ roundupAmountCents: 200 })));
  await user.click(screen.getByRole('radio', { name: '$5' }));
  await waitFor(() => expect(screen.getByRole('radio', { name: '$2' })).toBeChecked());
  expect(await screen.findByText('Your change was not saved. Please try again.')).toBeVisible();
});

test('a weekly limit and a savings switch that cannot be saved fall back, and the status line says so', async () => {
  logsAnError();
  server.use(refuse(setWeeklyLimit, 503, 'unavailable'), refuse(setSavingsAccount, 503, 'unavailable'));
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Weekly Limit Off' }));
  await waitFor(() => expect(callsOf(setWeeklyLimit)).toHaveLength(1));
  expect(await screen.findByRole('switch', { name: 'Weekly Limit Off' })).not.toBeChecked();
  await user.click(screen.getByRole('switch', { name: 'Linked Savings Account On' }));
  await waitFor(() => expect(callsOf(setSavingsAccount)).toHaveLength(1));
  expect(await screen.findByRole('switch', { name: 'Linked Savings Account On' })).toBeChecked();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.getByText('Your change was not saved. Please try again.')).toBeVisible();
});

test('a pause with a lost answer is repeated, and not called failed', async () => {
  const user = openDashboard();
  let asked = 0;
  server.use(
    http.post(`*/api${setPaused.path}`, () => {
      asked += 1;
      return asked === 1
        ? HttpResponse.error()
        : HttpResponse.json(userOf({ isUserPausedRoundUp: true, nextDebit: null }));
    }),
  );
  await user.click(await screen.findByRole('switch', { name: 'Round-Ups On' }));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(asked).toBe(2));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(await screen.findByRole('switch', { name: 'Round-Ups Paused' })).not.toBeChecked();
  expect(screen.queryByText('Something went wrong, please try again')).not.toBeInTheDocument();
});

test('the weekly limit turns on at $10.00 and off with 0', async () => {
  server.use(answer(setWeeklyLimit, ({ weeklyMaximumLimit }) => userOf({ weeklyMaximumLimit })));
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Weekly Limit Off' }));
  expect(await screen.findByRole('radio', { name: '$10.00' })).toBeChecked();
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Weekly Limit On' })).toBeEnabled());
  await user.click(screen.getByRole('switch', { name: 'Weekly Limit On' }));
  await waitFor(() =>
    expect(callsOf(setWeeklyLimit).map((call) => call.input)).toEqual([
      { cdrid, weeklyMaximumLimit: 1000 },
      { cdrid, weeklyMaximumLimit: 0 },
    ]),
  );
  expect(await screen.findByRole('switch', { name: 'Weekly Limit Off' })).not.toBeChecked();
});

test('the savings switch sends its new state', async () => {
  server.use(answer(setSavingsAccount, ({ savingsAccountEnabled }) => userOf({ savingsAccountEnabled })));
  const user = openDashboard();
  await user.click(await screen.findByRole('switch', { name: 'Linked Savings Account On' }));
  expect(await screen.findByRole('switch', { name: 'Linked Savings Account Off' })).not.toBeChecked();
  expect(callsOf(setSavingsAccount)[0]?.input).toEqual({ cdrid, savingsAccountEnabled: false });
});

test('tenant aca shows nothing of savings', async () => {
  openDashboard({}, 'aca');
  expect(await screen.findByRole('switch', { name: 'Round-Ups On' })).toBeChecked();
  expect(screen.queryByText('Linked Savings Account')).not.toBeInTheDocument();
});

test('a weekly limit shows its use, and each control its past effect before it is touched', async () => {
  const weeks = ([100, 200, 500] as const).flatMap((stepCents) =>
    ([0, 750, 1000, 1250] as const).map((limitCents) => ({ stepCents, limitCents, cents: stepCents + limitCents })),
  );
  server.use(
    answer(retrieveWeeklyOutlook, {
      weeklyOutlook: { usedCents: 620, startsAgainOn: '2026-11-30', lookingBack: { days: 84, wholeWeeks: 12, weeks } },
    }),
  );
  openDashboard({ weeklyMaximumLimit: 1000 });
  const meter = await screen.findByRole('meter', { name: 'Weekly limit' });
  expect(meter).toHaveAttribute('aria-valuetext', '$6.20 used, $3.80 left');
  expect(screen.getByText('Resets Mon 30 Nov')).toBeVisible();
  expect(
    screen.getByText('Based on your last 12 weeks: about $11.00 a week at $1, $12.00 at $2, $15.00 at $5.'),
  ).toBeVisible();
  expect(screen.getByText(/about \$8.50 a week with a limit of \$7.50, \$11.00 with \$10.00/)).toBeVisible();
});

test.each([
  [{ waitsForResumeCents: cents(85) }, '$0.85 waits until you resume.'],
  [{}, 'Nothing is waiting to be debited.'],
])('paused without an end, the card says what becomes of waiting round-ups: %j', async (changes, words) => {
  openDashboard({ isUserPausedRoundUp: true, nextDebit: null, ...changes });
  expect(await screen.findByText(words)).toBeVisible();
});
