import { accounts, donateNow, getUser, type UserRecord, undoDonation } from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { cdrid, everyday, userOf } from '../testing/makers.ts';
import { openDashboard } from '../testing/open-dashboard.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

async function submitDonation(amount: string) {
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Donate Now' }));
  await user.clear(await screen.findByLabelText('Amount'));
  await user.type(screen.getByLabelText('Amount'), amount);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  return user;
}

test('a one-off donation is checked, sent once and thanked for', async () => {
  server.use(answer(donateNow, {}));
  const user = await submitDonation('251');
  const amount = screen.getByLabelText('Amount');
  expect(await screen.findByText('Amount must be $250 or less')).toBeVisible();
  await user.clear(amount);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Amount is required')).toBeVisible();
  await user.type(amount, '25.50');
  await user.dblClick(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByRole('dialog', { name: 'Thank You!' })).toBeVisible();
  expect(callsOf(donateNow).map((call) => call.input)).toEqual([{ values: { amount: 25.5, cdrid } }]);
  expect(callsOf(donateNow)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test.each([
  ['2,50', 2.5],
  ['2.5', 2.5],
  ['$25', 25],
  ['0,29', 0.29],
])('%s typed under Donate Now gives $%d', async (typed, amount) => {
  server.use(answer(donateNow, {}));
  await submitDonation(typed);
  expect(await screen.findByRole('dialog', { name: 'Thank You!' })).toBeVisible();
  expect(callsOf(donateNow).map((call) => call.input)).toEqual([{ values: { amount, cdrid } }]);
});

test.each([
  ['1e2', 'Amount is required'],
  ['2.505', 'Amount is required'],
  ['-5', 'Amount is required'],
  ['0', 'Amount is required'],
  ['2,500', 'Amount must be $250 or less'],
])('%s typed under Donate Now is refused, and nothing is sent', async (typed, words) => {
  server.use(answer(donateNow, {}));
  await submitDonation(typed);
  expect(await screen.findByText(words)).toBeVisible();
  expect(callsOf(donateNow)).toEqual([]);
});

test('the thank-you shares the club, and stays while it does', async () => {
  server.use(answer(donateNow, {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    const user = await submitDonation('25');
    const dialog = await screen.findByRole('dialog', { name: 'Thank You!' });
    await user.click(await within(dialog).findByRole('button', { name: 'Share your club' }));
    expect(await screen.findByText('Link copied.')).toBeVisible();
    expect(await navigator.clipboard.readText()).toContain(`?efg=1&u=${cdrid}`);
    await act(() => vi.advanceTimersByTimeAsync(4500));
    expect(dialog).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test('the thank-you waits while its link is pointed at or has the focus', async () => {
  server.use(answer(donateNow, {}));
  await submitDonation('25');
  const dialog = await screen.findByRole('dialog', { name: 'Thank You!' });
  const share = await within(dialog).findByRole('button', { name: 'Share your club' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    fireEvent.pointerEnter(share);
    await pass(5000);
    fireEvent.focus(share);
    fireEvent.pointerLeave(share);
    await pass(5000);
    expect(dialog).toBeVisible();
    fireEvent.blur(share);
    await pass(3900);
    expect(dialog).toBeVisible();
    await pass(200);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});

test('a failing donation can be sent again as the same gift', async () => {
  server.use(refuse(donateNow, 503, 'provider-unavailable'));
  const user = await submitDonation('5');
  expect(await screen.findByText('Failed to process donation. Please try again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(callsOf(donateNow)).toHaveLength(2));
  const keys = callsOf(donateNow).map((call) => call.headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
  await screen.findByText('Failed to process donation. Please try again.');
});

test('the server’s problem with the amount is shown at the field', async () => {
  server.use(refuse(donateNow, 400, 'invalid-input', { 'values.amount': 'Amount must be $250 or less' }));
  await submitDonation('5');
  expect(await screen.findByText('Amount must be $250 or less')).toBeVisible();
  expect(screen.getByText('Failed to process donation. Please try again.')).toBeVisible();
});

test('leaving before the server answers warns that the donation may have been made, and does not send it again', async () => {
  server.use(answer(donateNow, () => new Promise(() => undefined)));
  const user = await submitDonation('7');
  await waitFor(() => expect(callsOf(donateNow)).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText(/You left before your donation was confirmed/)).toBeVisible();
  expect(callsOf(donateNow)).toHaveLength(1);
});

test.each([
  ['breaks off', '{'],
  ['is of a version that this page does not know', '[]'],
])('an answer that %s does not mean that the donation was refused: leaving warns of it', async (_what, body) => {
  server.use(
    http.post(
      `*/api${donateNow.path}`,
      () => new HttpResponse(body, { headers: { 'content-type': 'application/json' } }),
    ),
    http.get('*/dashboard', () => HttpResponse.text('')),
  );
  const user = await submitDonation('7');
  expect(await screen.findByText('Failed to process donation. Please try again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/You left before your donation was confirmed/)).toBeVisible();
});

test('a donation whose answer was lost is shown with the way to undo it, and leaving warns of it', async () => {
  server.use(answer(donateNow, {}));
  const user = openDashboard();
  await user.click(await screen.findByRole('button', { name: 'Donate Now' }));
  await user.click(await screen.findByRole('button', { name: '$20' }));
  const until = new Date(Date.now() + 600_000).toISOString();
  server.use(
    http.post(`*/api${donateNow.path}`, () => HttpResponse.error()),
    answer(getUser, userOf({ undoableDonations: [{ requestId: 'gift', amountCents: cents(2000), until }] })),
  );
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Failed to process donation. Please try again.')).toBeVisible();
  expect(await screen.findByText(/You can still undo/)).toHaveTextContent('You can still undo your $20.00 gift.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/You left before your donation was confirmed/)).toBeVisible();
});

test('a donation is filled in with one press, and shows its amount, account and club', async () => {
  const until = new Date(Date.now() + 600_000).toISOString();
  const user = openDashboard();
  await screen.findByText('Harbour Hounds');
  server.use(
    answer(donateNow, {}),
    answer(getUser, userOf({ undoableDonations: [{ requestId: 'gift', amountCents: cents(2000), until }] })),
  );
  await user.click(await screen.findByRole('button', { name: 'Donate Now' }));
  const dialog = await screen.findByRole('dialog', { name: 'One-Off Donation' });
  expect(await within(dialog).findByText('Harbour Hounds')).toBeVisible();
  expect(await within(dialog).findByText('Everyday XXXXX0001')).toBeVisible();
  const submit = within(dialog).getByRole('button', { name: 'Submit' });
  expect(submit).not.toHaveAccessibleDescription();
  await user.click(within(dialog).getByRole('button', { name: '$20' }));
  expect(within(dialog).getByLabelText('Amount')).toHaveValue('20');
  expect(submit).toHaveAccessibleDescription('$20.00');
  await user.click(submit);
  expect(await screen.findByText('You can undo it for ten minutes, under Donate Now.')).toBeVisible();
  expect(callsOf(donateNow)[0]?.input).toEqual({ values: { amount: 20, cdrid } });
  expect(await screen.findByText(/You can still undo/)).toHaveTextContent('You can still undo your $20.00 gift.');
});

test('a donation not yet submitted can be undone', async () => {
  let gifts: UserRecord['undoableDonations'] = [
    { requestId: 'gift', amountCents: cents(2500), until: new Date(Date.now() + 300_000).toISOString() },
  ];
  server.use(
    answer(getUser, () => userOf(gifts ? { undoableDonations: gifts } : {})),
    answer(undoDonation, () => {
      gifts = undefined;
      return {};
    }),
  );
  const user = visit('/dashboard', { isSignedIn: true });
  expect(await screen.findByText(/You can still undo/)).toHaveTextContent('You can still undo your $25.00 gift.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Your donation is undone. Nothing is taken.')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/You can still undo/)).not.toBeInTheDocument());
  expect(callsOf(undoDonation)[0]?.input).toEqual({ cdrid, requestId: 'gift' });
});

test('an undo with a lost answer is repeated, and not called failed', async () => {
  const until = new Date(Date.now() + 300_000).toISOString();
  let presses = 0;
  server.use(
    answer(getUser, userOf({ undoableDonations: [{ requestId: 'gift', amountCents: cents(2500), until }] })),
    http.post(`*/api${undoDonation.path}`, () => {
      presses += 1;
      return presses === 1 ? HttpResponse.error() : HttpResponse.json({});
    }),
  );
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(presses).toBe(2));
  expect(await screen.findByText('Your donation is undone. Nothing is taken.')).toBeVisible();
});

test.each([
  ['never comes', () => HttpResponse.error(), 'Something went wrong, please try again'],
  [
    'says that it is on its way',
    () => HttpResponse.json({ error: { code: 'conflict', message: 'Refused' } }, { status: 409 }),
    'Your donation could not be undone. It may be on its way already.',
  ],
])('an undo whose answer %s says so', async (_what, respond, words) => {
  const until = new Date(Date.now() + 300_000).toISOString();
  server.use(
    answer(getUser, userOf({ undoableDonations: [{ requestId: 'gift', amountCents: cents(2500), until }] })),
    http.post(`*/api${undoDonation.path}`, respond),
  );
  const user = visit('/dashboard', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(words)).toBeVisible();
});

test('a donation past its time that is not taken yet can still be undone', async () => {
  const until = new Date(Date.now() - 1_000).toISOString();
  server.use(answer(getUser, userOf({ undoableDonations: [{ requestId: 'gift', amountCents: cents(2500), until }] })));
  visit('/dashboard', { isSignedIn: true });
  expect(await screen.findByText(/You can still undo/)).toHaveTextContent('You can still undo your $25.00 gift. Undo');
});

async function openDonation(changes: Partial<UserRecord> = {}) {
  server.use(answer(getUser, userOf(changes)));
  const user = visit('/dashboard', { isSignedIn: true });
  const later = await screen.findByRole('button', { name: 'Donate Now' });
  const prompt = screen.queryByRole('dialog');
  if (prompt) await user.click(within(prompt).getByRole('button', { name: 'Cancel' }));
  await user.click(later);
  return within(await screen.findByRole('dialog', { name: 'One-Off Donation' }));
}

const expectNothingToSend = (dialog: ReturnType<typeof within>) => {
  expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled();
  expect(dialog.getByRole('button', { name: '$20' })).toBeDisabled();
};

test('without a bank connection the donation offers Connect, and cannot be sent', async () => {
  const dialog = await openDonation({ isConsent: false, nextDebit: null });
  expect(await dialog.findByText('No bank is connected yet.')).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Connect' })).toHaveAttribute('href', '/launch-consent');
  expectNothingToSend(dialog);
});

test('without an account to debit the donation offers to choose one, and cannot be sent', async () => {
  server.use(answer(accounts, { accountsData: { documents: [{ ...everyday, activeDebitEnabled: false }] } }));
  const dialog = await openDonation();
  expect(await dialog.findByRole('link', { name: 'Choose one' })).toHaveAttribute('href', '/linked-accounts');
  expectNothingToSend(dialog);
});

test('a donation can be sent once its source is known, and says so where that cannot be loaded', async () => {
  server.use(refuse(accounts, 503, 'unavailable'));
  const dialog = await openDonation();
  expect(await dialog.findByText(/could not be loaded/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled();
  server.use(answer(accounts, { accountsData: { documents: [{ ...everyday, activeDebitEnabled: true }] } }));
  dialog.getByRole('button', { name: 'Retry' }).click();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Submit' })).toBeEnabled());
  expect(dialog.getByText(`${everyday.name} ${everyday.accountNumber}`)).toBeVisible();
});
