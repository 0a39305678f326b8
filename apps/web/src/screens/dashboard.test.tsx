import { checkConsent, debitsYTD, findClub, getUser, type UserRecord } from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { logsAnError } from '../testing/logged.ts';
import { aClub, aSupporter, aTenant, userOf } from '../testing/makers.ts';
import { openDashboard } from '../testing/open-dashboard.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

test('the dashboard shows at a glance the club, the total so far, and the next debit', async () => {
  openDashboard();
  expect(await screen.findByText('Harbour Hounds')).toBeVisible();
  expect(await screen.findByText('$128.47')).toBeVisible();
  expect(await screen.findByText(/Next debit Wed 25 Nov:/)).toHaveTextContent('Next debit Wed 25 Nov: $3.42');
  const months = within(screen.getByRole('region', { name: 'Donation History' })).getAllByRole('listitem');
  expect(months.map((month) => month.textContent)).toEqual(['Nov-26: $18.42', 'Dec-25: $19.99']);
  expect(await screen.findByText('XXXXX7741')).toBeVisible();
});

test('an amount below the minimum says from which amount it is debited', async () => {
  openDashboard({ nextDebit: { date: '2026-11-25', amountCents: cents(142), minimumCents: cents(200) } });
  expect(await screen.findByRole('button', { name: /Next debit/ })).toHaveTextContent(
    'Next debit Wed 25 Nov: $1.42 Debited once it reaches $2.00',
  );
});

test.each([false, true])('without a session (%s: one that ended) it leads to the login screen', async (isSignedIn) => {
  server.use(refuse(getUser, 401, 'signed-out'));
  visit('/dashboard', { isSignedIn });
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
});

test('an ended campaign is named with the dropped amount, and all controls are gone', async () => {
  openDashboard({ nextDebit: null, isConsent: false, campaignEnded: { on: '2026-08-31', droppedCents: cents(1169) } });
  const card = await screen.findByRole('region', { name: 'This campaign has ended' });
  expect(card).toHaveTextContent('Since Mon 31 Aug 2026 nothing is rounded up, debited or donated.');
  expect(card).toHaveTextContent('$11.69 was still waiting. It is dropped: it will not be debited');
  expect(screen.queryAllByRole('switch')).toEqual([]);
  expect(screen.queryAllByRole('radio')).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Donate Now' })).not.toBeInTheDocument();
  expect(await screen.findByRole('region', { name: 'Donation History' })).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('round-ups without an account to debit show the waiting amount and link to choosing one', async () => {
  openDashboard({ nextDebit: null, waitsForAccountCents: cents(342) });
  const waits = await screen.findByText(/Nothing is debited until you choose an account/);
  expect(waits).toHaveTextContent(
    '$3.42 waits. Nothing is debited until you choose an account. Choose account to debit',
  );
  expect(within(waits).getByRole('link', { name: 'Choose account to debit' })).toHaveAttribute(
    'href',
    '/linked-accounts',
  );
});

test.each([
  ['next_debit', {}, 'We ask once more with your next debit: just have enough in the account that day.'],
  ['two_returns', { isUserPausedRoundUp: true }, 'so we have paused your round-ups.'],
  ['resume', { isUserPausedRoundUp: true }, 'the first debit after you turn your round-ups on again.'],
  ['renew', { isConsent: false }, 'unless you renew your bank connection.'],
] as const)('a returned debit is named with what comes next: %s', async (next, changes, words) => {
  openDashboard({ ...changes, returnedDebit: { date: '2026-11-23', amountCents: cents(342), next } });
  const line = await screen.findByText(/^Your bank returned the \$3\.42 debit of Mon 23 Nov/);
  expect(line).toHaveTextContent(words);
  expect(within(line).getByRole('link', { name: 'Look at your history' })).toHaveAttribute('href', '/history');
});

test('after two returns the card does not say that nothing waits, as the returned debits do', async () => {
  openDashboard({
    isUserPausedRoundUp: true,
    nextDebit: null,
    returnedDebit: { date: '2026-11-23', amountCents: cents(342), next: 'two_returns' },
  });
  expect(await screen.findByText(/What's still owing goes with the first debit/)).toBeVisible();
  expect(screen.queryByText(/Nothing is waiting/)).not.toBeInTheDocument();
});

test('a returned debit that made its account unusable is named once, with a link to choose another', async () => {
  openDashboard({
    nextDebit: null,
    waitsForAccountCents: cents(342),
    whyNoAccount: 'returned',
    returnedDebit: { date: '2026-11-23', amountCents: cents(342), next: 'choose_account' },
  });
  expect(await screen.findByText(/Your bank returned/)).toHaveTextContent(
    '$3.42 waits. Your bank returned the $3.42 debit of Mon 23 Nov from the account you chose. Nothing is debited until you choose an account. Choose account to debit',
  );
});

test('a returned donation is named, and not asked for again', async () => {
  openDashboard({ returnedDonation: { date: '2026-11-23', amountCents: cents(2_000) } });
  expect(await screen.findByText(/^Your bank returned the .* donation/)).toHaveTextContent(
    'Your bank returned the $20.00 donation of Mon 23 Nov. We do not ask for it again.',
  );
});

test('a debit or donation that the bank took back after clearing is named', async () => {
  const taken = { date: '2026-11-23', amountCents: cents(342) };
  openDashboard({ takenBackDebit: taken, takenBackDonation: { ...taken, amountCents: cents(2_000) } });
  expect(await screen.findByText(/^Your bank took back the \$3\.42/)).toHaveTextContent(
    'Your bank took back the $3.42 debit of Mon 23 Nov, which had already reached us. We do not ask for it again. Look at your history',
  );
  expect(await screen.findByText(/^Your bank took back the \$20/)).toHaveTextContent(
    'Your bank took back the $20.00 donation of Mon 23 Nov, which had already reached us. We do not ask for it again.',
  );
});

test('an account that the bank no longer shows is named once, with the next step', async () => {
  openDashboard({
    nextDebit: null,
    waitsForAccountCents: cents(342),
    whyNoAccount: 'account_missing',
    missingAccounts: [{ name: 'Everyday', accountNumber: 'XXXXX7741', isDebited: true, isTracked: true }],
  });
  const waits = await screen.findByText(/Purchases on it are not rounded up/);
  expect(waits).toHaveTextContent(
    '$3.42 waits. Your bank no longer shows Everyday XXXXX7741. Purchases on it are not rounded up. Nothing is debited until it is back or you choose another account. Choose account to debit',
  );
  expect(within(waits).getByRole('link')).toHaveAttribute('href', '/linked-accounts');
  expect(screen.getAllByText(/no longer shows/)).toHaveLength(1);
});

test('an account that the bank no longer shows and that is not debited is named as well', async () => {
  openDashboard({
    missingAccounts: [{ name: 'Everyday', accountNumber: 'XXXXX7741', isDebited: false, isTracked: true }],
  });
  const missing = await screen.findByText(/Purchases on it/);
  expect(missing).toHaveTextContent(
    'Your bank no longer shows Everyday XXXXX7741. Purchases on it are not rounded up. Look at your accounts',
  );
  expect(within(missing).getByRole('link')).toHaveAttribute('href', '/linked-accounts');
});

test.each<[string, Partial<UserRecord>]>([
  ['no account to debit', { nextDebit: null, waitsForAccountCents: cents(342) }],
  ['debits on hold', { nextDebit: null, isOnHold: true }],
  ['no account chosen', { tracksNoAccount: true }],
  ['a bank that has ended', { consentHealth: { state: 'bank ended', endsOn: null, bankEndsOn: null, dataOn: null } }],
])('with %s the switch is coloured as waiting', async (_, changes) => {
  openDashboard(changes);
  expect(await screen.findByRole('switch', { name: 'Round-Ups On' })).toHaveAttribute('data-idle', 'true');
});

test('without an account chosen for round-ups the card says so', async () => {
  openDashboard({ tracksNoAccount: true });
  const words = await screen.findByText(/^Nothing is rounded up until you have chosen an account\./);
  expect(within(words).getByRole('link', { name: 'Choose accounts to round up' })).toHaveAttribute(
    'href',
    '/linked-accounts',
  );
});

test('donations of earlier years are shown beside a year that has just begun', async () => {
  server.use(answer(debitsYTD, { debitYTD: 0, allTimeCents: 31_290 }));
  openDashboard();
  const summary = await screen.findByRole('region', { name: 'Summary' });
  await waitFor(() => expect(summary).toHaveTextContent(/Donated This Year\$0\.00.*To Date\$312\.90/));
});

test('purchases are looked for until the bank has sent some for the first time', async () => {
  let asked = 0;
  server.use(
    answer(getUser, () => {
      asked += 1;
      const dataOn = asked > 1 ? '2026-11-24' : null;
      return userOf({ consentHealth: { state: 'good', endsOn: '2027-10-03', bankEndsOn: null, dataOn } });
    }),
  );
  visit('/dashboard', { isSignedIn: true });
  expect(await screen.findByText('Looking at your purchases…')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Looking at your purchases…')).not.toBeInTheDocument(), {
    timeout: 8000,
  });
});

test.each([
  [{ isConsent: false }, 'No Bank Connection', 'Connect', 'Welcome'],
  [{ onboardingComplete: false }, 'Finish Setting Up Your Account', 'Finish', 'Thankyou'],
])('with %o it prompts %s, which leads to the missing step', async (changes, title, action, step) => {
  const user = openDashboard(changes);
  const modal = await screen.findByRole('dialog', { name: title });
  await user.click(within(modal).getByRole('button', { name: action }));
  expect(await screen.findByRole('heading', { name: step })).toBeVisible();
});

test('a consent that the provider no longer holds also prompts, and can be put off', async () => {
  server.use(answer(checkConsent, { activeConsents: false }));
  const user = openDashboard();
  const modal = await screen.findByRole('dialog', { name: 'No Bank Connection' });
  await user.click(within(modal).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test.each([
  ['figures', debitsYTD, 'Failed to load data. Please try again later.', '$128.47'],
  ['a club', findClub, 'Failed to find Clubs. Please try again.', 'Harbour Hounds'],
])('%s that cannot be loaded show a message in place, and Retry', async (_what, operation, message, loaded) => {
  server.use(refuse(operation, 404, 'not-found'));
  const user = openDashboard();
  const failed = await screen.findByText(message);
  server.resetHandlers();
  await user.click(within(screen.getByRole('region', { name: 'Summary' })).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(loaded)).toBeVisible();
  expect(failed).not.toBeInTheDocument();
});

test.each([
  [404, 'not-found', true],
  [503, 'unavailable', false],
] as const)(
  'a user that does not load (%i) has its own message, also without a cdrid',
  async (status, code, holdsCdrid) => {
    server.use(refuse(getUser, status, code));
    visit('/dashboard', { isSignedIn: true, holdsCdrid });
    expect(await screen.findByText('Failed to register. Please try again.')).toBeVisible();
    expect(screen.getByText(/Nothing about it has changed/)).toBeVisible();
  },
);

test.each([
  [{ isConsent: false }, /Nothing can be rounded up until your bank is connected/, 'Connect your bank', 'Welcome'],
  [{ onboardingComplete: false }, /Nothing is rounded up until you have chosen/, 'Finish setting up', 'Thankyou'],
])('with %o the way on stays after the question is put off', async (changes, words, action, step) => {
  const user = openDashboard({ ...changes, nextDebit: null });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText(words)).toBeVisible();
  await user.click(screen.getByRole('link', { name: action }));
  expect(await screen.findByRole('heading', { name: step })).toBeVisible();
});

test('an ended connection is mentioned once, with a link to renew it', async () => {
  const consentHealth = { state: 'expired', endsOn: '2026-11-20', bankEndsOn: null, dataOn: '2026-11-20' } as const;
  const user = openDashboard({ isConsent: false, consentHealth, nextDebit: null });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/Your bank connection has ended/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Connect your bank' })).not.toBeInTheDocument();
});

test('the list of headings names every card, and the figure stands with its label', async () => {
  openDashboard();
  await screen.findByText('$128.47');
  await screen.findByRole('region', { name: 'Together' });
  const names = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent?.trim());
  expect(names).toEqual([
    'Round-Ups On',
    'Weekly Limit Off',
    'Linked Savings Account',
    'One-Time Donation',
    'Donation History',
    'Together',
  ]);
  expect(screen.getByText('Donated This Year').tagName).toBe('DT');
  expect(screen.getByText('$128.47').closest('dd')).toBeVisible();
});

test.each([
  ['its own logo, with the brand’s in the corner', {}, '/tenants/logos/hounds.svg', 2],
  ['its first letter, with the brand’s in the corner', {}, null, 1],
  ['the brand’s mark alone where the club is the brand’s', { clubID: aSupporter().supportingClubId }, null, 1],
])('a club is shown by %s', async (_how, settings, logoURL, pictures) => {
  const document = { ...aClub(aSupporter().supportingClubId, 'Wattle Creek'), parent_club: null, logoURL };
  server.use(answer(findClub, { document }));
  visit('/dashboard', { isSignedIn: true, settings });
  const card = within(await screen.findByRole('region', { name: 'Summary' }));
  await card.findByText('Wattle Creek');
  expect(card.getByRole('img')).toHaveAccessibleName(aTenant().name);
  expect(card.queryAllByText('W')).toHaveLength(logoURL || 'clubID' in settings ? 0 : 1);
  expect(card.getByText('Wattle Creek').closest('section')?.querySelectorAll('img')).toHaveLength(pictures);
});

test('before the first debit the amount that waits for it stands large, and the year beside it', async () => {
  const nextDebit = { date: '2026-11-25', amountCents: cents(1554) };
  server.use(answer(debitsYTD, { debitYTD: 0 }));
  openDashboard({ nextDebit });
  const card = await screen.findByRole('region', { name: 'Summary' });
  await waitFor(() => expect(card).toHaveTextContent(/Ready for your first debit\$15\.54Donated This Year\s*\$0\.00$/));
});

test('a sum that was reached is said once, in place of what is on its way', async () => {
  localStorage.setItem('seenMark', '5000');
  openDashboard();
  expect(await screen.findByText('You have given $100.00. Thank you!')).toBeVisible();
  cleanup();
  openDashboard();
  expect(await screen.findByText('All received')).toBeVisible();
});

test('the sum a club’s supporters give is shown with its goal', async () => {
  const figures = { raisedDollars: 12_400, supporters: 214, monthDollars: 1906, goalDollars: 20_000 };
  server.use(answer(findClub, { document: { _id: 'hounds', name: 'Hounds', parent_club: null, figures } }));
  openDashboard();
  const card = await screen.findByRole('region', { name: 'Together' });
  expect(card).toHaveTextContent('214 of us, $1,906 this month.');
  const goal = within(card).getByRole('progressbar', { name: '$12,400 of our goal of $20,000' });
  expect([goal.getAttribute('value'), goal.getAttribute('max')]).toEqual(['12400', '20000']);
});

test('in a month in which nothing has cleared yet the crowd shows what it gave so far', async () => {
  const figures = { raisedDollars: 1400, supporters: 5 };
  server.use(answer(findClub, { document: { _id: 'hounds', name: 'Hounds', parent_club: null, figures } }));
  openDashboard();
  expect(await screen.findByText('5 of us, $1,400 so far.')).toBeVisible();
  expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
});

test('a club with fewer than five supporters shows no figure', async () => {
  server.use(answer(findClub, { document: { _id: 'hounds', name: 'Hounds', parent_club: null, figures: null } }));
  openDashboard();
  expect(await screen.findByRole('region', { name: 'Together' })).not.toHaveTextContent(/of us/);
});

test('offline everything stays visible, and a change reverts and says so', async () => {
  logsAnError();
  const user = openDashboard();
  await screen.findByText('$128.47');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  server.use(http.all('*', () => HttpResponse.error()));
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(await screen.findByText(/You are offline/)).toBeVisible();
  await user.click(screen.getByRole('radio', { name: '$5' }));
  await waitFor(() => expect(screen.getByRole('radio', { name: '$1' })).toBeChecked());
  expect(await screen.findByText(/Your change was not saved/)).toBeVisible();
  expect(screen.getByText('$128.47')).toBeVisible();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(/You are offline/)).not.toBeInTheDocument();
});

test('the donation’s dialog stays where the record is missing and is asked for again', async () => {
  server.use(refuse(getUser, 404, 'not-found'));
  const user = visit('/dashboard', { isSignedIn: true, holdsCdrid: true });
  await screen.findByText('Failed to register. Please try again.');
  const before = callsOf(getUser).length;
  await user.click(screen.getByRole('button', { name: 'Donate Now' }));
  await waitFor(() => expect(callsOf(getUser).length).toBeGreaterThan(before));
  expect(await screen.findByRole('dialog', { name: 'One-Off Donation' })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByText('Failed to register. Please try again.')).toBeInTheDocument());
  expect(screen.getByRole('dialog', { name: 'One-Off Donation' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled();
});

test('after onboarding the first purchases are looked for, until something waits', async () => {
  let asked = 0;
  server.use(
    answer(getUser, () => {
      asked += 1;
      return userOf({ nextDebit: { date: '2026-11-25', amountCents: cents(asked > 1 ? 26 : 0) } });
    }),
  );
  visit('/dashboard', { isSignedIn: true, state: { isFirstVisit: true } });
  expect(await screen.findByText('Looking at your purchases…')).toBeVisible();
  expect(await screen.findByText('$0.26', {}, { timeout: 8000 })).toBeVisible();
  expect(screen.queryByText('Looking at your purchases…')).not.toBeInTheDocument();
});
