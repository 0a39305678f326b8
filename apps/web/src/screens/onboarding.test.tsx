import {
  checkJob,
  consent,
  exchangeHandoff,
  findJobs,
  onboardingComplete,
  registerFunding,
  retrieveAccounts,
  setRoundUpAccounts,
} from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { readStored, store } from '#api/stored.ts';
import { accounts, aSupporter, bills, cdrid, everyday } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

test('Continue asks for a consent link and leaves for the bank', async () => {
  const user = visit('/launch-consent', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(screen.getByText('Connect To Bank').closest('li')).toHaveAttribute('aria-current', 'step');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/consent'));
  expect(callsOf(consent)[0]?.input).toEqual({ cdrid });
});

test('a consent link that does not come is only logged, and can be asked for again', async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  server.use(refuse(consent, 502, 'provider-unavailable'));
  const user = visit('/launch-consent', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(console.error).toHaveBeenCalled());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled());
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  vi.mocked(console.error).mockClear();
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
  server.use(refuse(findJobs, 404, 'not-found'));
  const user = visit('/consented', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Verification' })).toBeVisible();
  expect(screen.getByText('For security reasons we need you to verify your account by logging in.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/consent'));
  await user.click(screen.getByRole('button', { name: 'Verify My Account' }));
  expect(await screen.findByRole('heading', { name: 'Confirm Account' })).toBeVisible();
});

test('without a session the connection asks to verify', async () => {
  visit('/consented?userId=uid-anna');
  expect(await screen.findByRole('button', { name: 'Verify My Account' })).toBeVisible();
});

test('a hand-off opens the session it is for, and leaves the address', async () => {
  server.use(
    answer(exchangeHandoff, ({ handoff }) => ({
      customToken: `token for ${handoff === 'a-code' ? 'anna' : 'nobody'}`,
    })),
    answer(checkJob, { status: 202 }, 202),
  );
  visit('/consented?userId=uid-anna&jobId=job-1&handoff=a-code');
  expect(await screen.findByRole('heading', { name: 'Checking!' })).toBeVisible();
  expect(callsOf(checkJob)[0]?.input).toEqual({ jobId: 'job-1', cdrid });
  expect(window.location.search).toBe('?userId=uid-anna&jobId=job-1');
});

test('a hand-off that was used before leads to Verification', async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  server.use(refuse(exchangeHandoff, 403, 'not-allowed'));
  visit('/consented?userId=uid-anna&handoff=a-used-code');
  expect(await screen.findByRole('button', { name: 'Verify My Account' })).toBeVisible();
  vi.mocked(console.error).mockClear();
});

test("one club's supporters continue at their tenant", async () => {
  store('clubId', 'paws');
  visit('/consented?jobId=job-1', { isSignedIn: true });
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toMatch(
    /^http:\/\/harbour-hounds\.sparechange\.localhost(:\d+)?\/consented\?userId=uid-anna&jobId=job-1&handoff=a-code$/,
  );
});

test('somebody who set out for the bank from a tenant is brought back to it', async () => {
  visit('/consented?jobId=job-1&state=redgum-landcare');
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toContain('//redgum-landcare.sparechange.localhost');
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

test('a failing funding registration says so', async () => {
  server.use(refuse(registerFunding, 503, 'provider-unavailable'));
  const user = visit('/funding-accounts', { isSignedIn: true, state: { accounts } });
  await user.click(await screen.findByRole('button', { name: 'CONTINUE' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'There seems to be an error, please try again or contact support',
  );
});

test('without accounts there is a way back', async () => {
  const user = visit('/funding-accounts', { isSignedIn: true });
  expect(await screen.findByText('No accounts available. Please go back and select accounts.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Go Back' }));
  expect(await screen.findByRole('heading', { name: 'Setting Up' })).toBeVisible();
});

test.each([
  ['Yes', true],
  ['No', false],
])('%s ends the onboarding and leads to the dashboard', async (name, syncBeginningOfMonth) => {
  server.use(answer(onboardingComplete, { userRecord: { document: aSupporter() } }));
  const user = visit('/finished', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(callsOf(onboardingComplete)[0]?.input).toEqual({ cdrid, syncBeginningOfMonth });
});
