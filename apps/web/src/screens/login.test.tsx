import { findClubBySlug, getUser } from '@sparechange/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { readStored, store } from '#api/stored.ts';
import { currentUserId, knownUser, sendPasswordReset, uid } from '../testing/fake-session.ts';
import { accounts, cdrid, userOf } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

async function logIn(user: ReturnType<typeof visit>, password = 'correct horse') {
  await user.type(screen.getByLabelText('Email'), 'anna@example.org');
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

test('signing in stores the ids, fetches the user with the headers of the tenant, and leads to the dashboard', async () => {
  knownUser('anna@example.org', 'correct horse');
  const user = visit('/');
  expect(screen.getByRole('heading', { name: 'Small change, big heart' })).toBeVisible();
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(readStored('userId')).toBe(uid);
  expect(readStored('cdrid')).toBe(cdrid);
  const headers = callsOf(getUser)[0]?.headers;
  expect(headers?.get('apikey')).toBe('pk_0123456789abcdef');
  expect(headers?.get('tenant')).toBe('default');
  expect(headers?.get('authorization')).toBe('Bearer token-of-anna');
});

test('the button is disabled and reads Loading... while signing in', async () => {
  knownUser('anna@example.org', 'correct horse');
  let release: (() => void) | undefined;
  server.use(
    answer(getUser, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return userOf();
    }),
  );
  const user = visit('/');
  await logIn(user);
  expect(screen.getByRole('button', { name: 'Loading...' })).toBeDisabled();
  await waitFor(() => expect(release).toBeDefined());
  release?.();
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('wrong credentials and a failing get-user show the same message', async () => {
  knownUser('anna@example.org', 'correct horse');
  server.use(refuse(getUser, 503, 'unavailable'));
  const user = visit('/');
  await logIn(user, 'wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to log in. Please check your credentials.');
  await user.clear(screen.getByLabelText('Password'));
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(callsOf(getUser)).not.toEqual([]));
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to log in. Please check your credentials.');
});

test('the password can be shown and hidden', async () => {
  const user = visit('/');
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
});

test('a referral is kept', () => {
  visit('/?efg=1&u=tom');
  expect(readStored('referrer')).toBe('efg:tom');
});

test('the reset email is asked for in a modal that closes on success', async () => {
  const user = visit('/');
  await user.click(screen.getByRole('button', { name: 'Reset it' }));
  const modal = await screen.findByRole('dialog', { name: 'Forgot Password?' });
  expect(within(modal).getByText('We will send you an email with reset instructions.')).toBeVisible();
  await user.type(within(modal).getByLabelText('Email'), 'anna@example.org');
  await user.click(within(modal).getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sendPasswordReset).toHaveBeenLastCalledWith('anna@example.org');
});

test('a failing reset says so in the modal', async () => {
  const user = visit('/');
  await user.click(screen.getByRole('button', { name: 'Reset it' }));
  const modal = await screen.findByRole('dialog');
  await user.type(within(modal).getByLabelText('Email'), 'broken@example.org');
  await user.click(within(modal).getByRole('button', { name: 'Submit' }));
  expect(await within(modal).findByText('We experienced an error, contact support')).toBeVisible();
});

test.each([
  ['default', { clubID: 'hounds' }, '/clubs'],
  ['sparechange', { clubID: 'hounds' }, '/clubs'],
  ['harbour-hounds', { clubID: 'hounds' }, '/register2'],
  ['bush-league', { clubID: 'hounds', parentClubId: 'league' }, '/clubs'],
])('Register on tenant %s with %o leads to %s', (tenantKey, settings, path) => {
  visit('/', { tenantKey, settings });
  expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', path);
});

test('an unknown slug says so on the ordinary screen', async () => {
  server.use(refuse(findClubBySlug, 404, 'not-found'));
  visit('/no-such-club');
  expect(await screen.findByText('Failed to find Clubs. Please try again.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('signing in leads back to the page where the session lapsed', async () => {
  knownUser('anna@example.org', 'correct horse');
  store('userId', uid);
  const user = visit('/linked-accounts');
  await screen.findByRole('button', { name: 'Login' });
  expect(readStored('userId')).toBeUndefined();
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Linked Accounts' })).toBeVisible();
});

test('a reminder’s link is followed after signing in, in a browser without stored data', async () => {
  knownUser('anna@example.org', 'correct horse');
  server.use(answer(getUser, userOf({ isConsent: false, onboardingComplete: false })));
  const user = visit('/finished');
  await screen.findByRole('button', { name: 'Login' });
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
});

test('another user is led to the dashboard, and nothing of the previous one is left', async () => {
  knownUser('anna@example.org', 'correct horse');
  for (const key of ['userId', 'clubId', 'jobId'] as const) store(key, 'of-tom');
  queryClient.setQueryData(['accounts', 'of-tom'], accounts);
  const user = visit('/linked-accounts');
  await screen.findByRole('button', { name: 'Login' });
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect([readStored('userId'), readStored('clubId'), readStored('jobId')]).toEqual([uid, 'hounds', undefined]);
  expect(queryClient.getQueryData(['accounts', 'of-tom'])).toBeUndefined();
});

test('without a lapsed session signing in leads to the dashboard', async () => {
  knownUser('anna@example.org', 'correct horse');
  const user = visit('/history');
  await screen.findByRole('button', { name: 'Login' });
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('the accounts that a lapsed session was handed are not shown again', async () => {
  knownUser('anna@example.org', 'correct horse');
  store('userId', uid);
  const user = visit('/funding-accounts', { state: { accounts, cdrid } });
  await screen.findByRole('button', { name: 'Login' });
  await logIn(user);
  expect(await screen.findByText('No accounts available. Please go back and select accounts.')).toBeVisible();
});

test('accounts that another supporter was handed in this tab are not shown', async () => {
  visit('/funding-accounts', { isSignedIn: true, state: { accounts, cdrid: '1b7c1f0e-9a53-4c1b-8a53-1c0ffee0cafe' } });
  expect(await screen.findByText('No accounts available. Please go back and select accounts.')).toBeVisible();
});

test('the right password of an unfinished registration leads to finishing it', async () => {
  knownUser('anna@example.org', 'correct horse');
  server.use(refuse(getUser, 404, 'not-found'));
  const user = visit('/');
  await logIn(user);
  expect(await screen.findByText('Failed to log in. Please check your credentials.')).toBeVisible();
  const help = screen.getByText(/^Your registration is not finished\./);
  expect(help).toHaveTextContent('Your registration is not finished. Register again with the same password.');
  expect(within(help).getByRole('link', { name: 'Register again' })).toHaveAttribute('href', '/clubs');
  expect([readStored('userId'), currentUserId()]).toEqual([undefined, undefined]);
});

test.each(['/login', '/signin'])('%s is the login screen and no slug', async (path) => {
  visit(`${path}?efg=1&u=tom`);
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  expect(screen.queryByText(/Failed to find/)).not.toBeInTheDocument();
  expect(readStored('referrer')).toBe('efg:tom');
  expect(callsOf(findClubBySlug)).toEqual([]);
});

test.each([
  ['/help', 'Support'],
  ['/about', 'Support'],
  ['/privacy', 'Privacy'],
  ['/console', "We can't find that page"],
  ['/robots.txt', "We can't find that page"],
])('%s is no slug but "%s"', async (path, title) => {
  visit(path);
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(callsOf(findClubBySlug)).toEqual([]);
});

test.each([
  ['default', '/pages/faq.html'],
  ['aca', '/pages/faq-without-savings.html'],
])('the support page of %s is %s', async (tenantKey, page) => {
  visit('/support', { tenantKey });
  expect(await screen.findByTitle('Support')).toHaveAttribute('src', page);
});

test('a renewal link to the linked accounts is followed after signing in', async () => {
  knownUser('anna@example.org', 'correct horse');
  const user = visit('/linked-accounts');
  await screen.findByRole('button', { name: 'Login' });
  await logIn(user);
  expect(await screen.findByRole('heading', { name: 'Linked Accounts' })).toBeVisible();
});
