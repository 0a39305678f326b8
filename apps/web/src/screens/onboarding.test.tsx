import {
  accounts as accountsOfBank,
  checkJob,
  consent,
  findClub,
  getUser,
  onboardingComplete,
  registerFunding,
  retrieveAccountEstimates,
  retrieveBackdating,
  setRoundUpAccounts,
} from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { logsAnError } from '../testing/logged.ts';
import { accounts, bills, cdrid, everyday, userOf } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const unfinished = userOf({ onboardingComplete: false });

test('Finish leads to the missing step, and neither Welcome nor a way to the bank is shown before', async () => {
  server.use(answer(getUser, unfinished), answer(accountsOfBank, documentsOf(untouched)));
  const user = visit('/dashboard', { isSignedIn: true });
  const asked = await screen.findByRole('dialog', { name: 'Finish Setting Up Your Account' });
  const headings = new Set<string | null>();
  const watch = new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('h1')) headings.add(textContent);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await user.click(within(asked).getByRole('button', { name: 'Finish' }));
  expect(await screen.findByRole('heading', { name: 'Setting Up' })).toBeVisible();
  watch.disconnect();
  expect([...headings]).not.toContain('Welcome');
  expect(callsOf(consent)).toEqual([]);
});

test('Continue cannot be reached before it is known whether the bank is connected', async () => {
  const known = Promise.withResolvers<typeof unfinished>();
  server.use(answer(getUser, () => known.promise));
  visit('/launch-consent', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Loading...' })).toBeInTheDocument();
  await waitFor(() => expect(callsOf(getUser)).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  known.resolve(unfinished);
  expect(await screen.findByRole('heading', { name: 'Thankyou' })).toBeVisible();
});

test('a connected bank that shows no accounts can be connected again', async () => {
  server.use(answer(getUser, unfinished), answer(accountsOfBank, { accountsData: { documents: [] } }));
  const user = visit('/roundup-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name: 'Connect to your bank again' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(callsOf(consent)).toHaveLength(1));
});

test('Next saves every account with its choice and hands the accounts on', async () => {
  server.use(answer(setRoundUpAccounts, {}), answer(registerFunding, {}));
  const user = visit('/roundup-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('checkbox', { name: /Bills/ }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('heading', { name: 'Funding Account' })).toBeVisible();
  expect(callsOf(setRoundUpAccounts)[0]?.input).toEqual({
    RoundUpAccounts: [
      { accountId: everyday._id, activeRoundUpsEnabled: true },
      { accountId: bills._id, activeRoundUpsEnabled: true },
    ],
  });
  await user.click(await screen.findByRole('checkbox', { name: /Bills/ }));
  expect(screen.getByRole('checkbox', { name: /Everyday/ })).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByRole('heading', { name: 'Thankyou' })).toBeVisible();
  expect(callsOf(registerFunding)[0]?.input).toEqual({
    accountId: bills.id,
    account_id: bills._id,
    tenantA: 'default',
    activeDebitEnabled: true,
    cdrid,
  });
});

test('Next sent with accounts that the bank has since changed asks again, and can be pressed once more', async () => {
  logsAnError();
  const listed = [{ ...everyday, ...untouched }];
  server.use(
    answer(accountsOfBank, () => ({ accountsData: { documents: [...listed] } })),
    refuse(setRoundUpAccounts, 400, 'invalid-input'),
  );
  const user = visit('/roundup-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('checkbox', { name: /Everyday/ }));
  listed.push(bills);
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('checkbox', { name: /Bills/ })).not.toBeChecked();
  expect(screen.getByRole('checkbox', { name: /Everyday/ })).toBeChecked();
  server.use(answer(setRoundUpAccounts, {}));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('heading', { name: 'Funding Account' })).toBeVisible();
});

test('each account shows its estimate, the busiest is suggested, and the chosen ones add up', async () => {
  server.use(
    answer(accountsOfBank, {
      accountsData: {
        documents: [
          { ...everyday, activeRoundUpsEnabled: false, kind: 'transaction' },
          { ...bills, kind: 'credit-card' },
        ],
      },
    }),
    answer(retrieveAccountEstimates, {
      accountEstimates: [
        { accountId: everyday._id, purchases: 31, weeklyCents: 370 },
        { accountId: bills._id, purchases: 4, weeklyCents: 60 },
      ],
    }),
    answer(setRoundUpAccounts, {}),
  );
  const user = visit('/roundup-accounts', { isSignedIn: true });
  const busiest = await screen.findByRole('checkbox', {
    name: /Everyday.*Transaction account.*Suggested: about \$3\.70 a week$/,
  });
  expect(busiest).not.toBeChecked();
  expect(screen.getByRole('checkbox', { name: /Bills.*Credit card.*\$0\.60 a week$/ })).not.toBeChecked();
  await user.click(busiest);
  expect(screen.getByText('About $3.70 a week, going by your last 4 weeks.')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /Bills/ }));
  expect(screen.getByText('About $4.30 a week, going by your last 4 weeks.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('heading', { name: 'Funding Account' })).toBeVisible();
  expect(screen.getByText('About $4.30 a week, going by your last 4 weeks.')).toBeVisible();
});

test('a supporter who stopped before the funding account resumes there', async () => {
  server.use(
    answer(getUser, unfinished),
    answer(accountsOfBank, { accountsData: { documents: [{ ...everyday, activeDebitEnabled: false }, bills] } }),
  );
  visit('/launch-consent', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Funding Account' })).toBeVisible();
});

test('the finish names the club and the first debit', async () => {
  server.use(answer(getUser, unfinished));
  visit('/finished', { isSignedIn: true });
  const summary = await screen.findByRole('region', { name: 'Summary' });
  await waitFor(() => expect(summary).toHaveTextContent('Supporting:Harbour HoundsFirst debitWed 25 Nov'));
});

test('the finish shares the address of the club', async () => {
  server.use(
    answer(findClub, { document: { _id: 'hounds', name: 'Harbour Hounds', parent_club: null, slug: 'hounds' } }),
  );
  const user = visit('/finished', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Share your club' }));
  expect(await screen.findByText('Link copied.')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/hounds?efg=1&u=${cdrid}`);
});

test('a failing funding registration says so', async () => {
  server.use(refuse(registerFunding, 503, 'provider-unavailable'));
  const user = visit('/funding-accounts', { isSignedIn: true, state: { accounts, cdrid } });
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'There seems to be an error, please try again or contact support',
  );
});

test('a funding account whose id has changed at the bank can be chosen with the next press', async () => {
  const renewed = { ...everyday, id: 'bank-new', name: 'Everyday Renewed' };
  server.use(
    answer(accountsOfBank, { accountsData: { documents: [renewed, bills] } }),
    refuse(registerFunding, 403, 'not-allowed'),
  );
  const user = visit('/funding-accounts', { isSignedIn: true, state: { accounts, cdrid } });
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^There seems to be an error, please try again/);
  expect(await screen.findByRole('checkbox', { name: /Everyday Renewed/ })).toBeVisible();
  server.use(answer(registerFunding, {}));
  await user.click(screen.getByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByRole('heading', { name: 'Thankyou' })).toBeVisible();
  expect(callsOf(registerFunding).at(-1)?.input).toMatchObject({ account_id: everyday._id, accountId: 'bank-new' });
});

test('without accounts there is a way back', async () => {
  const user = visit('/funding-accounts', { isSignedIn: true });
  expect(await screen.findByText('No accounts available. Please go back and select accounts.')).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Select Round-Up Accounts' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Go Back' }));
  expect(await screen.findByRole('heading', { name: 'Setting Up' })).toBeVisible();
});

test.each([
  ['Yes', true],
  ['No', false],
])('%s ends the onboarding and leads to the dashboard', async (name, syncBeginningOfMonth) => {
  server.use(answer(getUser, unfinished), answer(onboardingComplete, userOf()));
  const user = visit('/finished', { isSignedIn: true });
  expect(await screen.findByText('Onboarding has been complete:')).toBeVisible();
  expect(await screen.findByText(/Yes adds \$6\.18 from 12 purchases this month to your first debit\./)).toBeVisible();
  expect(screen.queryByText(/^You have answered this before/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(callsOf(onboardingComplete)[0]?.input).toEqual({ cdrid, syncBeginningOfMonth });
});

const notConnected = userOf({ isConsent: false, onboardingComplete: false });
const noAccounts = { accountsData: { documents: [] } };
const untouched = { activeRoundUpsEnabled: false, activeDebitEnabled: false };
const documentsOf = (first: object) => ({
  accountsData: { documents: [{ ...everyday, ...first }, bills] },
});

test.each([
  ['no bank', notConnected, noAccounts, 'Welcome'],
  ['no account tracked', unfinished, documentsOf(untouched), 'Setting Up'],
  ['no account debited', unfinished, documentsOf({ activeDebitEnabled: false }), 'Funding Account'],
])('/finished opened with %s leads to the step that is missing', async (_, user, documents, heading) => {
  server.use(answer(getUser, user), answer(accountsOfBank, documents));
  visit('/finished', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  expect(screen.queryByText('Onboarding has been complete:')).not.toBeInTheDocument();
});

test.each([
  ['no purchases', answer(retrieveBackdating, { backdating: { purchases: 0, cents: 0 } }), /for now Yes adds nothing/],
  ['a bank that does not answer', answer(retrieveBackdating, { backdating: null }), /^What this adds shows/],
  ['a call that fails', refuse(retrieveBackdating, 503, 'unavailable'), /^What this adds shows/],
])('with %s the question says so and can be answered', async (_, backdating, words) => {
  server.use(answer(getUser, unfinished), backdating);
  visit('/finished', { isSignedIn: true });
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Yes' })).toBeEnabled();
});

test('/finished opened again says that the answer stays', async () => {
  visit('/finished', { isSignedIn: true });
  expect(await screen.findByText(/^You have answered this before/)).toBeVisible();
});

test('an answer whose confirmation was lost stays, and the other button says so before it is pressed', async () => {
  logsAnError();
  let isAnswered = false;
  server.use(
    answer(getUser, () => userOf({ onboardingComplete: isAnswered })),
    http.post(`*/api${onboardingComplete.path}`, () => {
      isAnswered = true;
      return HttpResponse.error();
    }),
  );
  const user = visit('/finished', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  expect(await screen.findByText(/^You have answered this before/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'No' })).toBeEnabled();
});

test('an answer given in another tab stays, and this one says so on coming back to it', async () => {
  server.use(answer(getUser, unfinished));
  visit('/finished', { isSignedIn: true });
  expect(await screen.findByText(/Yes adds \$6\.18/)).toBeVisible();
  server.use(answer(getUser, userOf()));
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText(/^You have answered this before/)).toBeVisible();
});

test.each(['/funding-accounts', '/roundup-accounts'])('%s opened without a bank leads to it', async (path) => {
  server.use(answer(getUser, notConnected), answer(accountsOfBank, noAccounts));
  const user = visit(path, { isSignedIn: true });
  expect(await screen.findByText(/^Your bank is not connected yet/)).toBeVisible();
  expect(screen.getByText('Connect To Bank').closest('li')).toHaveAttribute('aria-current', 'step');
  await user.click(screen.getByRole('link', { name: 'Connect your bank' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
});

test('CONTINUE without a chosen account says what is missing, as Next does', async () => {
  const none = accounts.map((account) => ({ ...account, activeDebitEnabled: false }));
  const user = visit('/funding-accounts', { isSignedIn: true, state: { accounts: none, cdrid } });
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByText('Select one account')).toBeVisible();
  expect(callsOf(registerFunding)).toEqual([]);
});

test('while the bank is asked the page says that it continues automatically', async () => {
  server.use(answer(checkJob, { status: 202 }, 202));
  visit('/consented?jobId=job-1', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Checking!' })).toBeVisible();
  expect(screen.getByText(/This usually takes under 30 seconds/)).toBeVisible();
});

test('the Back button from the first dashboard leads to no step of the onboarding', async () => {
  server.use(answer(setRoundUpAccounts, {}), answer(registerFunding, {}), answer(onboardingComplete, userOf()));
  const user = visit('/roundup-accounts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  await user.click(await screen.findByRole('button', { name: 'No' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  window.history.back();
  await isBack;
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Funding Account' })).not.toBeInTheDocument();
});
