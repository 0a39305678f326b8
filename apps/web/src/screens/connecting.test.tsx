import {
  checkJob,
  confirmConnection,
  consent,
  findJobs,
  getUser,
  registerFunding,
  retrieveAccounts,
} from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { readStored, store } from '#api/stored.ts';
import { logsAnError } from '../testing/logged.ts';
import { accounts, cdrid, userOf } from '../testing/makers.ts';
import { answer, calls, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const _unfinished = userOf({ onboardingComplete: false });

test('Continue asks for a consent link and leaves for the bank', async () => {
  const user = visit('/launch-consent', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(screen.getByText('Connect To Bank').closest('li')).toHaveAttribute('aria-current', 'step');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/consent'));
  expect(callsOf(consent)[0]?.input).toEqual({ cdrid });
});

test('a consent link that does not come is only logged, and can be asked for again', async () => {
  logsAnError();
  server.use(refuse(consent, 502, 'provider-unavailable'));
  const user = visit('/launch-consent', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled());
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(await screen.findByText(/^Your bank cannot be reached just now/)).toBeVisible();
});

test('a Retry that does not reach the bank says so', async () => {
  logsAnError();
  server.use(refuse(findJobs, 409, 'conflict'), refuse(consent, 503, 'unavailable'));
  const user = visit('/consented', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible();
});

test('a connected bank leads on to the round-up accounts', async () => {
  server.use(answer(checkJob, { status: 200 }), answer(retrieveAccounts, { status: 200 }));
  visit('/consented?jobId=job-1', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Success!' })).toBeVisible();
  expect(callsOf(checkJob)[0]?.input).toEqual({ jobId: 'job-1', cdrid });
  expect(await screen.findByRole('heading', { name: 'Setting Up' })).toBeVisible();
});

test('without a job in the address one is searched for', async () => {
  server.use(
    answer(findJobs, { jobId: 'job-9' }),
    answer(checkJob, { status: 202 }, 202),
    answer(retrieveAccounts, { status: 200 }),
  );
  visit('/consented', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Checking!' })).toBeVisible();
  expect(callsOf(checkJob)[0]?.input).toEqual({ jobId: 'job-9', cdrid });
  expect(readStored('jobId')).toBe('job-9');
});

test('an error leads to Verification, with Retry and Verify My Account', async () => {
  server.use(refuse(findJobs, 409, 'conflict'));
  const user = visit('/consented', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Verification' })).toBeVisible();
  expect(screen.getByText('For security reasons we need you to verify your account by logging in.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/consent'));
  await user.click(screen.getByRole('button', { name: 'Verify My Account' }));
  expect(await screen.findByRole('heading', { name: 'Confirm Account' })).toBeVisible();
});

test.each([
  ['bank-declined', 409, 'You stopped at your bank. Nothing was shared.'],
  ['conflict', 409, "Your bank didn't finish connecting. Retry takes you back there."],
  ['provider-unavailable', 502, 'Your bank cannot be reached just now. Please retry in a few minutes.'],
] as const)('a job refused with %s says why beside Verification', async (code, status, words) => {
  server.use(refuse(checkJob, status, code));
  visit('/consented?jobId=job-1', { isSignedIn: true });
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Verification' })).toBeVisible();
});

test.each(['/consented', '/confirmed'])(
  '%s continues to the accounts of a supporter who connected long ago',
  async (path) => {
    server.use(refuse(findJobs, 404, 'not-found'));
    visit(path, { isSignedIn: true });
    expect(await screen.findByRole('heading', { name: 'Success!' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Setting Up' })).toBeVisible();
  },
);

test('without a job and without a consent it is Verification', async () => {
  server.use(refuse(findJobs, 404, 'not-found'), answer(getUser, userOf({ isConsent: false })));
  visit('/consented', { isSignedIn: true });
  expect(await screen.findByText("Your bank isn't connected yet. Retry takes you there.")).toBeVisible();
});

test('without a session the connection asks to verify', async () => {
  visit('/consented?userId=uid-anna');
  expect(await screen.findByRole('button', { name: 'Verify My Account' })).toBeVisible();
});

test("one club's supporters continue at their tenant", async () => {
  store('clubId', 'paws');
  visit('/consented?jobId=job-1', { isSignedIn: true });
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toMatch(
    /^http:\/\/harbour-hounds\.sparechange\.localhost(:\d+)?\/consented\?userId=uid-anna&jobId=job-1&handoff=a-code&from=localhost/,
  );
});

test('an unknown tenant does not redirect anybody', async () => {
  server.use(http.get('*/tenants/phish-bank-login.json', () => new HttpResponse(null, { status: 404 })));
  visit('/consented?jobId=job-1&state=phish-bank-login');
  expect(await screen.findByRole('button', { name: 'Verify My Account' })).toBeVisible();
  expect(leaveFor).not.toHaveBeenCalled();
});

test('a return from the bank is confirmed in this session before accounts are fetched', async () => {
  const nonce = 'q4mFv0nJ2bX8sT1yLwZ3eA';
  server.use(
    answer(checkJob, { status: 200 }),
    answer(confirmConnection, {}),
    answer(retrieveAccounts, { status: 200 }),
  );
  visit(`/consented?jobId=job-1&jobIds=job-1,job-2&state=default.${nonce}`, { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Success!' })).toBeVisible();
  expect(callsOf(confirmConnection).map(({ input }) => input)).toEqual([{ cdrid, nonce, jobIds: ['job-1', 'job-2'] }]);
  const names = calls.map(({ name }) => name);
  expect(names.indexOf('confirmConnection')).toBeLessThan(names.indexOf('retrieveAccounts'));
  expect(readStored('bankNonce')).toBeUndefined();
});

test('a return that cannot be confirmed yet is kept, and nothing is called connected', async () => {
  const nonce = 'q4mFv0nJ2bX8sT1yLwZ3eA';
  server.use(
    answer(checkJob, { status: 200 }),
    refuse(confirmConnection, 502, 'provider-unavailable'),
    answer(retrieveAccounts, { status: 200 }),
  );
  visit(`/consented?jobId=job-1&state=default.${nonce}`, { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Verification' })).toBeVisible();
  expect(screen.getByText('Your bank cannot be reached just now. Please retry in a few minutes.')).toBeVisible();
  expect(callsOf(retrieveAccounts)).toEqual([]);
  expect(readStored('bankNonce')).toBe(nonce);
});

test('a return without a session is kept until somebody has signed in', async () => {
  visit('/consented?jobId=job-1&state=default.q4mFv0nJ2bX8sT1yLwZ3eA');
  expect(await screen.findByRole('button', { name: 'Verify My Account' })).toBeVisible();
  expect(readStored('bankNonce')).toBe('q4mFv0nJ2bX8sT1yLwZ3eA');
  expect(callsOf(confirmConnection)).toEqual([]);
});

test('an account in another name says that it is under review', async () => {
  server.use(refuse(registerFunding, 409, 'holder-differs'));
  const user = visit('/funding-accounts', { isSignedIn: true, state: { accounts, cdrid } });
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByText(/Your bank gives another name for this account/)).toBeVisible();
  expect(screen.getByText('There seems to be an error, please try again or contact support')).toBeVisible();
});

test('a supporter who left for the bank from a tenant returns to it', async () => {
  server.use(http.get('*/tenants/redgum-landcare.json', () => HttpResponse.json({})));
  visit('/consented?jobId=job-1&state=redgum-landcare');
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toContain('//redgum-landcare.sparechange.localhost');
});
