import { findClub, findClubBySlug, register, retrieveClubs } from '@sparechange/contract';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { readStored, store } from '#api/stored.ts';
import { createUser, currentUserId, identityFailure, knownUser, uid } from '../testing/fake-session.ts';
import { logsAnError } from '../testing/logged.ts';
import { aClubPage, aListedClub, cdrid } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

async function fillIn(user: ReturnType<typeof visit>) {
  await user.type(await screen.findByLabelText('First Name'), 'Anna');
  await user.type(screen.getByLabelText('Last Name'), 'Nguyen');
  await user.type(screen.getByLabelText('Email'), 'anna@example.org');
  await user.type(screen.getByLabelText('Mobile Number'), '0412345678');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.type(screen.getByLabelText('Confirm Password'), 'correct horse');
  await user.click(screen.getByRole('checkbox', { name: 'I agree to the terms and conditions' }));
}

test('choosing a club by part of its name leads to the form, and registering to the bank', async () => {
  store('referrer', 'efg:tom');
  const user = visit('/clubs');
  await screen.findByRole('button', { name: /^Tidewater Surf/ });
  await user.type(screen.getByPlaceholderText('Search for a club here...'), 'HOUND');
  expect(screen.queryByRole('button', { name: /^Tidewater Surf/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: /^Harbour Hounds/ }));
  expect(readStored('selectedClubId')).toBe('hounds');
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(callsOf(register)[0]?.input).toEqual({
    email: 'anna@example.org',
    firstName: 'Anna',
    lastName: 'Nguyen',
    mobile: '0412345678',
    tenantA: 'default',
    supportingClubId: 'hounds',
    userId: uid,
    referrer: 'efg:tom',
  });
  expect([readStored('cdrid'), readStored('userId'), readStored('clubId')]).toEqual([cdrid, uid, 'hounds']);
});

test('Back after registering leads to no empty form, and a way on stands there', async () => {
  const user = visit('/clubs');
  await user.click(await screen.findByRole('button', { name: /^Harbour Hounds/ }));
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  window.history.back();
  await isBack;
  expect(await screen.findByText('You are registered and signed in.')).toBeVisible();
  expect(screen.queryByLabelText('First Name')).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Go to your dashboard' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('every rule of the form has its message', async () => {
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await user.click(await screen.findByRole('button', { name: 'Register' }));
  for (const message of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Mobile number is required',
    'Password is required',
    'Confirm password is required',
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
  await user.type(screen.getByLabelText('Email'), 'anna@');
  await user.type(screen.getByLabelText('Mobile Number'), '12');
  await user.type(screen.getByLabelText('Password'), 'short');
  await user.type(screen.getByLabelText('Confirm Password'), 'other');
  for (const message of [
    'Enter a valid email',
    'Mobile number must be 10 digits, no spaces',
    'Password should be of minimum 8 characters length',
    'Passwords must match',
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  expect(callsOf(register)).toEqual([]);
});

test('a half-failed registration is finished by pressing Register again', async () => {
  server.use(refuse(register, 503, 'unavailable'));
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText('Failed to register. Please try again.')).toBeVisible();
  server.resetHandlers();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(createUser).toHaveBeenCalled();
});

test('a supporter who registers again learns nothing of their account, and nothing is stored or left signed in', async () => {
  knownUser('anna@example.org', 'correct horse');
  server.use(refuse(register, 409, 'conflict'));
  const user = visit('/register2', { state: { selectedClubId: 'surf' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  const problem = await screen.findByText('Failed to register. Please try again.');
  expect(problem.parentElement).toHaveTextContent('Already registered? Login, or reset your password.');
  expect([readStored('cdrid'), readStored('userId'), readStored('clubId')]).toEqual([undefined, undefined, undefined]);
  expect(currentUserId()).toBeUndefined();
  await user.click(screen.getByRole('button', { name: 'reset your password' }));
  expect(within(await screen.findByRole('dialog')).getByLabelText('Email')).toHaveValue('anna@example.org');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('If we know that address, an email is on its way.')).toBeVisible();
  expect(callsOf(register)).toHaveLength(1);
});

test('a repeat of the same form carries the same request id', async () => {
  server.use(refuse(register, 503, 'unavailable'));
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText('Failed to register. Please try again.')).toBeVisible();
  server.resetHandlers();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  const ids = callsOf(register).map(({ headers }) => headers.get('idempotency-key'));
  expect(ids[0]).toBeTruthy();
  expect(ids[1]).toBe(ids[0]);
});

test('the server’s problem with a field is shown at the field', async () => {
  const mobile = 'Mobile number must be 10 digits, no spaces';
  server.use(refuse(register, 400, 'invalid-input', { mobile }));
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText('Failed to register. Please try again.')).toBeVisible();
  expect(screen.getByLabelText('Mobile Number')).toHaveAccessibleDescription(mobile);
});

test('pressing Register twice registers once', async () => {
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.dblClick(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(callsOf(register)).toHaveLength(1);
});

test("the requirements missed of the provider's password policy are shown at the field", async () => {
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  for (const label of ['Password', 'Confirm Password']) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), 'against policy');
  }
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText('Password needs a number')).toBeVisible();
});

test('a password that the provider refuses for being too common says so at the field', async () => {
  vi.mocked(createUser).mockRejectedValueOnce(identityFailure('auth/weak-password'));
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText('This password is too common. Please choose another')).toBeVisible();
  expect(screen.getByLabelText('Password')).toHaveFocus();
  expect(screen.queryByText('Failed to register. Please try again.')).not.toBeInTheDocument();
  expect(callsOf(register)).toHaveLength(0);
});

test('without a chosen club one is chosen first', async () => {
  visit('/register2');
  expect(await screen.findByRole('heading', { name: 'Choose an organisation to support' })).toBeVisible();
});

test('a tenant with one club goes straight to its form', async () => {
  visit('/clubs', { tenantKey: 'harbour-hounds', settings: { clubID: 'hounds' } });
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
});

test('a tenant with a parent lists the clubs under it', async () => {
  visit('/clubs', { tenantKey: 'bush-league', settings: { parentClubId: 'league' } });
  await screen.findByRole('button', { name: /^Harbour Hounds/ });
  expect(callsOf(retrieveClubs)[0]?.input).toEqual({ parentClubId: 'league' });
  expect(readStored('parentClubId')).toBe('league');
});

test('a failing club list is only logged', async () => {
  logsAnError();
  server.use(refuse(retrieveClubs, 404, 'not-found'));
  visit('/clubs');
  expect(await screen.findByText("We couldn't load the clubs.")).toBeVisible();
  expect(screen.queryByText(/Failed to find/)).not.toBeInTheDocument();
});

test('no club is called missing before all were searched', async () => {
  logsAnError();
  let refused: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    refused = resolve;
  });
  server.use(
    http.get(`*/api${retrieveClubs.path}`, async () => {
      await late;
      return HttpResponse.json({ error: { code: 'not-found', message: 'Refused by the test' } }, { status: 404 });
    }),
  );
  const user = visit('/clubs', { clubs: [aListedClub()] });
  await user.type(await screen.findByPlaceholderText('Search for a club here...'), 'Tidewater');
  expect(screen.queryByText(/No club of that name/)).not.toBeInTheDocument();
  refused();
  expect(await screen.findByText("We couldn't load the clubs.")).toBeVisible();
  server.resetHandlers();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: /^Tidewater Surf/ })).toBeVisible();
});

test('clubs that came with the page can be chosen before all of them are there', async () => {
  server.use(answer(retrieveClubs, () => new Promise(() => undefined)));
  const user = visit('/clubs', { clubs: [aListedClub()] });
  await user.click(await screen.findByRole('button', { name: /^Harbour Hounds/ }));
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
});

test('an ended campaign takes no registrations and leads to sign-in', async () => {
  visit('/register2', {
    tenantKey: 'ended',
    settings: { endsOn: '2020-08-31' },
    state: { selectedClubId: 'hounds' },
  });
  expect(await screen.findByRole('heading', { name: 'This campaign has ended' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/');
});

test('a club whose campaign has ended takes no registration through another host', async () => {
  server.use(
    answer(findClub, { document: { _id: 'appeal', name: 'Winter Appeal', parent_club: null, hasEnded: true } }),
  );
  visit('/register2', { state: { selectedClubId: 'appeal' } });
  expect(await screen.findByRole('heading', { name: 'This campaign has ended' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose another organisation' })).toHaveAttribute('href', '/clubs');
});

test('a campaign that ends while the form is filled in says so, without an invitation to retry', async () => {
  server.use(refuse(register, 403, 'campaign-ended'));
  const user = visit('/register2', { state: { selectedClubId: 'hounds' } });
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'This campaign has ended' })).toBeVisible();
});

test.each(['/winter-appeal', '/clubs/winter-appeal'])('%s says that its campaign has ended', async (path) => {
  server.use(answer(findClubBySlug, { clubId: 'appeal', page: aClubPage(), hasEnded: true }));
  visit(path);
  expect(await screen.findByRole('heading', { name: 'This campaign has ended' })).toBeVisible();
  expect(readStored('selectedClubId')).toBeUndefined();
});

test('the login screen of an ended campaign says so', () => {
  visit('/', { tenantKey: 'ended', settings: { endsOn: '2020-08-31' } });
  expect(screen.getByText(/^This campaign has ended\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('arrow keys lead through the clubs, and Enter takes the only one found', async () => {
  const user = visit('/clubs');
  await screen.findByRole('button', { name: /^Tidewater Surf/ });
  const search = screen.getByPlaceholderText('Search for a club here...');
  await user.click(search);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(screen.getByRole('button', { name: /^Tidewater Surf/ })).toHaveFocus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(search).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('heading', { name: 'Choose an organisation to support' })).toBeVisible();
  await user.keyboard('surf{Enter}');
  expect(await screen.findByRole('heading', { name: 'Register' })).toBeVisible();
  expect(readStored('selectedClubId')).toBe('surf');
});
