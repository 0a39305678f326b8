import { askToJoin, confirmClubRequest } from '@sparechange/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { logsAnError } from '../testing/logged.ts';
import { answer, calls, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

test('a club asks to join, and is asked to open the mailed link', async () => {
  server.use(answer(askToJoin, {}));
  const user = visit('/join');
  await user.click(await screen.findByRole('button', { name: 'Ask to join' }));
  expect(await screen.findByText('Please enter the name of the club')).toBeVisible();
  expect(callsOf(askToJoin)).toEqual([]);
  await user.type(screen.getByLabelText(/Name of the club/), 'Bay Choir');
  await user.type(screen.getByLabelText(/ABN/), '51 824 753 557');
  await user.type(screen.getByLabelText(/Suburb/), 'Bay View');
  expect(await screen.findByText('Please check the ABN: its digits do not add up')).toBeVisible();
  await user.clear(screen.getByLabelText(/ABN/));
  await user.type(screen.getByLabelText(/ABN/), '51 824 753 556');
  await user.type(screen.getByLabelText(/What is the money for/), 'Sheet music');
  await user.type(screen.getByLabelText(/Your name/), 'Sam Song');
  await user.type(screen.getByLabelText(/Email/), 'sam@choir.example');
  await user.click(screen.getByRole('button', { name: 'Ask to join' }));
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible();
  expect(callsOf(askToJoin).map(({ input }) => input)).toEqual([
    {
      name: 'Bay Choir',
      abn: '51824753556',
      suburb: 'Bay View',
      purpose: 'Sheet music',
      contactName: 'Sam Song',
      email: 'sam@choir.example',
    },
  ]);
});

test('opening the mailed link asks nothing of the server; the button confirms', async () => {
  server.use(answer(confirmClubRequest, { club: 'Bay Choir' }));
  const user = visit('/join/token');
  expect(await screen.findByRole('heading', { name: 'Your club asks to join' })).toBeVisible();
  expect(calls).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Confirm the request' }));
  expect(await screen.findByText(/The request for Bay Choir is with us/)).toBeVisible();
});

test('a link that is too old says so', async () => {
  logsAnError();
  server.use(refuse(confirmClubRequest, 404, 'not-found'));
  const user = visit('/join/token');
  await user.click(await screen.findByRole('button', { name: 'Confirm the request' }));
  expect(await screen.findByText(/older than a week/)).toBeVisible();
});
