import { createHandoff, extendConsent, findClub, findJobs, getUser, renewExpiredConsent } from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { checkResetCode, identityFailure, knownUser, setNewPassword } from '../testing/fake-session.ts';
import { logsAnError } from '../testing/logged.ts';
import { aClub, userOf } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

beforeEach(() => {
  vi.mocked(leaveFor).mockClear();
  knownUser('anna@example.org', 'correct horse');
});

async function verify(user: ReturnType<typeof visit>) {
  await user.type(await screen.findByLabelText('Email'), 'anna@example.org');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Verify' }));
}

const supports = (supportingClubId: string) => answer(getUser, userOf({ supportingClubId }));

test("a mapped club's supporter continues at its tenant's consented page", async () => {
  await verify(visit('/verify'));
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toMatch(
    /^http:\/\/harbour-hounds\.sparechange\.localhost(:\d+)?\/consented\?userId=uid-anna&handoff=a-code&from=localhost/,
  );
});

test('a supporter continues without a hand-off where none is issued', async () => {
  logsAnError();
  server.use(refuse(createHandoff, 409, 'conflict'));
  await verify(visit('/verify'));
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toMatch(/\/consented\?userId=uid-anna$/);
});

test.each([
  ['bowls', 'Verification successful, but redirection failed. Please contact support.'],
  ['', 'Verification successful, but unable to determine organization. Please contact support.'],
])(
  'for club "%s" it says why, then goes to /confirmed',
  async (clubId, message) => {
    server.use(supports(clubId), refuse(findJobs, 409, 'conflict'));
    await verify(visit('/verify'));
    expect(await screen.findByText(message)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Log In' }, { timeout: 10_000 })).toBeVisible();
  },
  20_000,
);

test('without redirects.json the redirection fails with a message', async () => {
  logsAnError();
  server.use(http.get('*/tenants/redirects.json', () => HttpResponse.error()));
  await verify(visit('/verify'));
  expect(
    await screen.findByText('Verification successful, but redirection failed. Please contact support.'),
  ).toBeVisible();
});

test('a failing sign-in says so', async () => {
  server.use(refuse(getUser, 503, 'unavailable'));
  await verify(visit('/verify'));
  expect(await screen.findByText('Failed to log in. Please check your credentials.')).toBeVisible();
});

test('an identity without a supporter belongs to no organisation, and reads how to register', async () => {
  server.use(refuse(getUser, 404, 'not-found'));
  await verify(visit('/verify'));
  expect(
    await screen.findByText('Verification successful, but unable to determine organization. Please contact support.'),
  ).toBeVisible();
  expect(screen.getByText(/^Your registration is not finished\./)).toBeVisible();
});

test('after verification a rule sends supporters of clubs under a parent to their tenant', async () => {
  server.use(answer(findClub, { document: { ...aClub('hounds', 'Hounds'), parent_club: 'league' } }));
  visit('/confirmed', { isSignedIn: true });
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(String(vi.mocked(leaveFor).mock.lastCall?.[0])).toContain('//bush-league.sparechange.localhost');
});

test('Log In on /confirmed logs out first', async () => {
  server.use(refuse(findJobs, 409, 'conflict'));
  const user = visit('/confirmed', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Log In' }));
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
});

test.each([
  ['extend-consent', 'Extend CDR Consent', extendConsent],
  ['expired-consent', 'Expired CDR Consent', renewExpiredConsent],
])('/%s asks for a link on load and leaves for it', async (path, title, operation) => {
  server.use(answer(operation, { consentLink: 'https://bank.test/extend' }));
  const user = visit(`/${path}/anna%40example.org?token=signed`);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  const extend = screen.getByRole('button', { name: 'Extend' });
  await waitFor(() => expect(extend).toBeEnabled());
  expect(callsOf(operation)[0]?.input).toEqual({ email: 'anna@example.org', token: 'signed' });
  await user.click(extend);
  expect(leaveFor).toHaveBeenCalledWith('https://bank.test/extend');
});

test('while the link to the bank is fetched, the busy button has words beside it', async () => {
  const link = Promise.withResolvers<{ consentLink: string }>();
  server.use(answer(extendConsent, () => link.promise));
  visit('/extend-consent/anna@example.org');
  expect(await screen.findByText('Getting the link to your bank...')).toBeVisible();
  link.resolve({ consentLink: 'https://bank.test/extend' });
  expect(await screen.findByText(/^Nothing changes until you confirm with your bank\./)).toBeVisible();
  expect(screen.queryByText('Getting the link to your bank...')).not.toBeInTheDocument();
});

test('a renewal link that does not come shows the support address', async () => {
  server.use(refuse(extendConsent, 429, 'too-many-requests'));
  visit('/extend-consent/anna@example.org');
  expect(
    await screen.findByText('We have encountered an issue, please contact support@sparechange.localhost'),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Extend' })).toBeDisabled();
});

test('the reset link takes a new password', async () => {
  const user = visit('/__/auth/action?mode=resetPassword&oobCode=good-code');
  await user.type(await screen.findByLabelText('New Password'), 'battery staple');
  await user.type(screen.getByLabelText('Confirm Password'), 'battery staple');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Your password has been changed.')).toBeVisible();
  expect(setNewPassword).toHaveBeenCalledWith('good-code', 'battery staple');
});

test('a new password that is too common says so at the field', async () => {
  vi.mocked(setNewPassword).mockRejectedValueOnce(identityFailure('auth/weak-password'));
  const user = visit('/__/auth/action?mode=resetPassword&oobCode=good-code');
  await user.type(await screen.findByLabelText('New Password'), 'password');
  await user.type(screen.getByLabelText('Confirm Password'), 'password');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('This password is too common. Please choose another')).toBeVisible();
  expect(screen.queryByText('We experienced an error, contact support')).not.toBeInTheDocument();
});

test('a used reset link says so and offers a new one', async () => {
  const user = visit('/__/auth/action?mode=resetPassword&oobCode=used');
  expect(await screen.findByText('This link has been used or is too old.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send a new one' }));
  await user.type(within(await screen.findByRole('dialog')).getByLabelText('Email'), 'anna@example.org');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('If we know that address, an email is on its way.')).toBeVisible();
});

test('a reset link that cannot be checked offline is not called used, and is checked again', async () => {
  vi.mocked(checkResetCode).mockRejectedValueOnce(identityFailure('auth/network-request-failed'));
  const user = visit('/__/auth/action?mode=resetPassword&oobCode=good-code');
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible();
  expect(screen.queryByText('This link has been used or is too old.')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByLabelText('New Password')).toBeVisible();
});

test('an unknown path has a way home', async () => {
  visit('/no/such/page');
  expect(await screen.findByRole('link', { name: 'Go home' })).toHaveAttribute('href', '/');
});
