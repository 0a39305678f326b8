import { confirmEmail } from '@sparechange/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const link = '/confirm-email/anna%40example.org?token=signed';

test('the link of the welcome mail confirms the address', async () => {
  server.use(answer(confirmEmail, {}));
  visit(link);
  expect(await screen.findByText('Thank you. Your email is confirmed.')).toBeVisible();
  expect(callsOf(confirmEmail)[0]?.input).toEqual({ email: 'anna@example.org', token: 'signed' });
  expect(screen.getByRole('link', { name: 'Go to your dashboard' })).toHaveAttribute('href', '/dashboard');
});

test('a link that is not ours says so', async () => {
  server.use(refuse(confirmEmail, 404, 'not-found'));
  visit(link);
  expect(await screen.findByRole('alert')).toHaveTextContent('This link is not complete.');
  expect(screen.getByRole('link', { name: 'Go to your dashboard' })).toBeVisible();
});

test('where the server cannot be reached the link is tried again', async () => {
  server.use(refuse(confirmEmail, 503, 'unavailable'));
  const user = visit(link);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  server.use(answer(confirmEmail, {}));
  await user.click(retry);
  expect(await screen.findByText('Thank you. Your email is confirmed.')).toBeVisible();
});
