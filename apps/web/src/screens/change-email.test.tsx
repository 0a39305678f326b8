import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readStored } from '#api/stored.ts';
import {
  applyActionCode,
  checkActionCode,
  email,
  identityFailure,
  knownUser,
  recoverEmail,
  requestEmailChange,
  signOut,
  uid,
} from '../testing/fake-session.ts';
import { visit } from '../testing/visit.tsx';

async function openForm() {
  const user = visit('/support', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  await user.click(await screen.findByRole('button', { name: `${email}, your account` }));
  await user.click(await screen.findByRole('button', { name: 'Change email address' }));
  const form = within(await screen.findByRole('dialog', { name: 'Change email address' }));
  const send = async (address: string) => {
    await user.clear(form.getByLabelText('New email address'));
    await user.type(form.getByLabelText('New email address'), address);
    await user.click(form.getByRole('button', { name: 'Send link' }));
  };
  return { user, form, send };
}

const linkTo = (mode: string) => `/__/auth/action?mode=${mode}&oobCode=a-code`;

test('a link to the new address is asked for from the account menu', async () => {
  const { user, send } = await openForm();
  await send(' new@example.org ');
  const sent = within(await screen.findByRole('dialog', { name: 'Change email address' }));
  expect(await sent.findByText(/We have sent a link to/)).toHaveTextContent('new@example.org');
  expect(requestEmailChange).toHaveBeenLastCalledWith('new@example.org');
  await user.click(sent.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('an old sign-in is asked for the password in place, and the link is then sent', async () => {
  vi.mocked(requestEmailChange).mockRejectedValueOnce(identityFailure('auth/requires-recent-login'));
  const { user, send } = await openForm();
  knownUser(email, 'correct horse');
  await send('new@example.org');
  const question = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  await user.type(question.getByLabelText('Password'), 'correct horse');
  await user.click(question.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(/We have sent a link to/)).toBeVisible();
});

test('turning back at the password leaves the form as it was, without a word of failure', async () => {
  vi.mocked(requestEmailChange).mockRejectedValueOnce(identityFailure('auth/requires-recent-login'));
  const { user, form, send } = await openForm();
  await send('new@example.org');
  const question = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(form.getByLabelText('New email address')).toHaveValue('new@example.org');
  expect(form.queryByRole('alert')).toBeNull();
});

test.each([
  ['auth/email-already-in-use', 'Another account has this email'],
  ['auth/invalid-new-email', 'Enter a valid email'],
  ['auth/too-many-requests', 'Too many attempts. Please try again later.'],
  ['auth/network-request-failed', 'Something went wrong, please try again'],
])('%s says "%s"', async (code, words) => {
  vi.mocked(requestEmailChange).mockRejectedValueOnce(identityFailure(code));
  const { form, send } = await openForm();
  await send('new@example.org');
  expect(await form.findByText(words)).toBeVisible();
});

test('the present address is not asked for again', async () => {
  vi.mocked(requestEmailChange).mockClear();
  const { form, send } = await openForm();
  await send(email.toUpperCase());
  expect(form.getByText('This is your email already')).toBeVisible();
  expect(requestEmailChange).not.toHaveBeenCalled();
});

test('the link changes the address when it is confirmed, and the session here ends', async () => {
  vi.mocked(applyActionCode).mockClear();
  const user = visit(linkTo('verifyAndChangeEmail'), { isSignedIn: true });
  const confirm = await screen.findByRole('button', { name: 'Confirm new address' });
  expect(screen.getByText('new@example.org')).toBeVisible();
  expect(applyActionCode).not.toHaveBeenCalled();
  await user.click(confirm);
  expect(await screen.findByText(/^Your email address is now/)).toHaveTextContent('now new@example.org. Please log in');
  expect(applyActionCode).toHaveBeenCalledWith('a-code');
  expect(signOut).toHaveBeenCalled();
  expect(readStored('userId')).toBeUndefined();
  expect(screen.getByRole('link', { name: 'Login' })).toBeVisible();
});

test('another person who is signed in here stays so', async () => {
  vi.mocked(signOut).mockClear();
  vi.mocked(checkActionCode).mockResolvedValueOnce({ email: 'new@example.org', previousEmail: 'tom@example.org' });
  const user = visit(linkTo('verifyAndChangeEmail'), { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Confirm new address' }));
  await screen.findByText(/Your email address is now/);
  expect(signOut).not.toHaveBeenCalled();
  expect(readStored('userId')).toBe(uid);
});

test('an address taken by somebody else in the interval says so', async () => {
  vi.mocked(applyActionCode).mockRejectedValueOnce(identityFailure('auth/email-already-in-use'));
  const user = visit(linkTo('verifyAndChangeEmail'));
  await user.click(await screen.findByRole('button', { name: 'Confirm new address' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Another account has this email.');
  expect(screen.getByText(email)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Confirm new address' })).not.toBeInTheDocument();
});

test('the old address undoes the change, and the page says that a link for a new password was sent', async () => {
  vi.mocked(checkActionCode).mockResolvedValueOnce({ email, previousEmail: 'thief@example.org' });
  const user = visit(linkTo('recoverEmail'));
  expect(await screen.findByText('thief@example.org')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo the change' }));
  expect(await screen.findByText(/^Your email address is/)).toHaveTextContent(
    `${email} again. We have sent a link to it`,
  );
  expect(recoverEmail).toHaveBeenLastCalledWith('a-code', email);
});

test.each(['verifyAndChangeEmail', 'recoverEmail'])('a %s link that is used up says so', async (mode) => {
  vi.mocked(checkActionCode).mockRejectedValueOnce(identityFailure('auth/expired-action-code'));
  visit(linkTo(mode));
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used or is too old.');
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

test('a link that cannot be looked at is tried again', async () => {
  vi.mocked(checkActionCode).mockRejectedValueOnce(identityFailure('auth/network-request-failed'));
  const user = visit(linkTo('recoverEmail'));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Undo the change' })).toBeVisible();
});

test('a link that verifies the address does so on opening, once', async () => {
  vi.mocked(applyActionCode).mockClear();
  visit(linkTo('verifyEmail'));
  expect(await screen.findByText('Thank you. Your email is confirmed.')).toBeVisible();
  expect(applyActionCode).toHaveBeenCalledTimes(1);
});

test('a used link that verifies the address says so', async () => {
  vi.mocked(applyActionCode).mockRejectedValueOnce(identityFailure('auth/invalid-action-code'));
  visit(linkTo('verifyEmail'));
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used or is too old.');
});
