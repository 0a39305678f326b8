import {
  checkConsent,
  checkJob,
  extendConsent,
  findJobs,
  getUser,
  renewOwnConsent,
  retrieveAccounts,
  retrieveSavingsSplit,
  type UserRecord,
} from '@sparechange/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { lineOf } from '../features/consent/consent-advice.ts';
import { cdrid, userOf } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

vi.mock('#api/leave.ts', () => ({ leaveFor: vi.fn() }));

type Health = UserRecord['consentHealth'];
const well: Health = { state: 'good', endsOn: '2027-10-03', bankEndsOn: '2027-10-03', dataOn: '2026-11-21' };
function open(path: string, changes: Partial<Health>) {
  const consentHealth = { ...well, ...changes };
  server.use(answer(getUser, userOf({ consentHealth })));
  return visit(path, { isSignedIn: true });
}
const card = async () => within(await screen.findByRole('region', { name: 'Bank Connection' }));

test('the linked accounts show the end of the consent and the bank’s last answer, with nothing to press', async () => {
  open('/linked-accounts', {});
  expect((await card()).getByText('Sun 3 Oct 2027')).toBeVisible();
  expect((await card()).getByText('Sat 21 Nov 2026')).toBeVisible();
  expect((await card()).queryByRole('button')).not.toBeInTheDocument();
});

test.each<[Partial<Health>, string]>([
  [{ state: 'ends soon', endsOn: '2026-12-09' }, 'Your bank connection ends on Wed\u00a09\u00a0Dec.'],
  [{ state: 'bank ends soon', bankEndsOn: '2026-12-09' }, 'Your bank stops sharing on Wed\u00a09\u00a0Dec.'],
  [{ state: 'ends soon', endsOn: null }, 'Your bank connection ends soon.'],
])('the line of the dashboard names the last day: %o', (changes, line) =>
  expect(lineOf({ ...well, ...changes })).toBe(line),
);

test('a consent that ends soon is renewed at the bank', async () => {
  server.use(answer(renewOwnConsent, { consentLink: 'https://bank.test/extend' }));
  const user = open('/linked-accounts', { state: 'ends soon', endsOn: '2026-12-09' });
  await user.click((await card()).getByRole('button', { name: 'Renew Consent' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/extend'));
  expect(callsOf(renewOwnConsent)[0]?.input).toEqual({ cdrid });
});

test.each<[string, Partial<Health>, RegExp, string | undefined]>([
  ['expired', { state: 'expired', dataOn: '2026-11-20' }, /Then we'll catch up on what you bought/, 'Renew Consent'],
  ['ran out, its data deleted', { state: 'expired', dataOn: null }, /until you renew it\.$/, 'Renew Consent'],
  ['was withdrawn', { state: 'withdrawn', dataOn: null }, /As you asked/, undefined],
  ['is silent', { state: 'silent', dataOn: '2026-11-12' }, /nothing for a week/, undefined],
  ['lasts longer than its bank', { state: 'bank ends soon' }, /One step is left/, 'Confirm at Your Bank'],
  ['has lost its bank', { state: 'bank ended' }, /Then we'll catch up on what you bought/, 'Confirm at Your Bank'],
])('a consent that %s says what that means', async (_what, health, words, action) => {
  open('/linked-accounts', health);
  expect((await card()).getByText(words)).toBeVisible();
  expect((await card()).queryAllByRole('button').map((button) => button.textContent)).toEqual(action ? [action] : []);
});

test('a due renewal comes before the accounts', async () => {
  open('/linked-accounts', { state: 'bank ends soon', bankEndsOn: '2026-12-09' });
  expect((await card()).getByText('Wed 9 Dec 2026')).toBeVisible();
  expect(screen.getAllByRole('region')[0]).toHaveAccessibleName('Bank Connection');
});

/** Back from the bank's pages, signed in. */
function comesBack(changes: Partial<Health>, query = '') {
  server.use(answer(checkJob, { status: 200 }), answer(retrieveAccounts, { status: 200 }));
  return open(`/consented?state=default.renewal${query}`, changes);
}

test('back from prolonging, the step at the bank is the next one', async () => {
  server.use(answer(renewOwnConsent, { consentLink: 'https://bank.test/reauthorise' }));
  const user = comesBack({ state: 'bank ends soon', bankEndsOn: '2026-12-09' });
  expect(await screen.findByRole('heading', { name: 'One More Step' })).toBeVisible();
  expect(screen.getByText(/lasts until Sun 3 Oct 2027.*until Wed 9 Dec 2026/)).toBeVisible();
  expect(callsOf(findJobs)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Confirm at Your Bank' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/reauthorise'));
});

test('back from the bank that confirmed, nothing is left to do', async () => {
  comesBack({ state: 'good' }, '&jobId=job-1');
  expect(await screen.findByRole('heading', { name: 'Renewed' })).toBeVisible();
  expect(callsOf(checkJob)[0]?.input).toMatchObject({ jobId: 'job-1' });
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
});

test('back without having prolonged it, it can still be done, or later', async () => {
  comesBack({ state: 'ends soon', endsOn: '2026-12-09' });
  expect(await screen.findByRole('heading', { name: 'Not Renewed Yet' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Renew Consent' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Later' })).toHaveAttribute('href', '/dashboard');
});

test('while the bank has not answered, the consent is refetched later', async () => {
  server.use(refuse(retrieveAccounts, 503, 'unavailable'));
  open('/consented?state=default.renewal', {});
  expect(await screen.findByText(/Please look again in a few minutes/)).toBeVisible();
});

test('a visitor who returns signed out, and not by a mailed link, signs in first', async () => {
  visit('/consented?state=default.renewal');
  expect(await screen.findByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/linked-accounts');
});

test('a supporter who left by a mailed link returns to its screen, which shows the remaining steps', async () => {
  const renewal = { endsOn: '2027-11-25', bankEndsOn: '2026-12-09' };
  server.use(
    answer(extendConsent, {
      consentLink: 'https://bank.test/extend',
      renewal: { ...renewal, endsOn: '2026-12-09', left: 'consent' },
    }),
  );
  const user = visit('/extend-consent/anna%40example.org?token=signed');
  const extend = await screen.findByRole('button', { name: 'Extend' });
  await waitFor(() => expect(extend).toBeEnabled()); // once the link is there
  await user.click(extend);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/extend'));
  cleanup();
  server.use(
    answer(extendConsent, { consentLink: 'https://bank.test/reauthorise', renewal: { ...renewal, left: 'bank' } }),
  );
  visit('/consented?state=default.renewal');
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm at Your Bank' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/reauthorise'));
  cleanup();
  server.use(
    answer(extendConsent, { consentLink: 'https://sparechange.example/', renewal: { ...renewal, left: 'nothing' } }),
  );
  visit('/consented?state=default.renewal&jobId=job-1');
  expect(await screen.findByText(/There is nothing more to do/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
});

test('the dashboard has a line only while there is something to do', async () => {
  open('/dashboard', { state: 'silent' });
  const line = await screen.findByText('Your bank has sent nothing for a week.');
  expect(within(line).getByRole('link')).toHaveAttribute('href', '/linked-accounts');
});

test('the dashboard says nothing of a healthy consent', async () => {
  open('/dashboard', {});
  expect(await screen.findByText('Harbour Hounds')).toBeVisible();
  expect(screen.queryByRole('link', { name: /Re(view|new) it/ })).not.toBeInTheDocument();
});

test('giving and saving are read out as one split with the next deposit', async () => {
  open('/dashboard', {});
  const parts = within(await screen.findByRole('list', { name: 'This year' })).getAllByRole('listitem');
  expect(parts.map((part) => part.textContent)).toEqual(['Given this year: $93.10', 'Saved this year: $91.20']);
  expect(screen.getByText(/Next deposit/)).toHaveTextContent('Next deposit Tue 1 Dec: $9.21 so far');
});

test('without a linked account there is no next deposit', async () => {
  server.use(answer(retrieveSavingsSplit, { clubCents: 431, savingsCents: 0, nextDeposit: null }));
  open('/dashboard', {});
  expect(await screen.findByText('$4.31')).toBeVisible();
  expect(screen.queryByText(/Next deposit/)).not.toBeInTheDocument();
});

test('a consent just found ended by the provider is shown as ended, with a link to renew it', async () => {
  let isConsent = true;
  const ended = { state: 'expired', endsOn: '2026-11-25', bankEndsOn: null, dataOn: '2026-11-24' } as const;
  server.use(
    answer(getUser, () => userOf(isConsent ? {} : { isConsent, consentHealth: ended, nextDebit: null })),
    answer(checkConsent, () => {
      isConsent = false;
      return { activeConsents: false };
    }),
  );
  visit('/dashboard', { isSignedIn: true });
  expect(await screen.findByRole('dialog', { name: 'No Bank Connection' })).toBeVisible();
  expect(await screen.findByText(/^Your bank connection has ended\./)).toBeVisible();
});
