import { debitsAllTime, debitsYTD, getUser, retrieveTotalDebits } from '@sparechange/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { readStored } from '#api/stored.ts';
import { answer, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const page = document.documentElement;
afterEach(() => {
  page.removeAttribute('data-offline');
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);
const notHere = 'This is not available offline.';

/** Opens a screen until these answers are kept, then again as the service worker shows it without a network. */
async function openOffline(path: string, kept: string[]): Promise<void> {
  visit('/dashboard', { isSignedIn: true });
  for (const answered of kept) await waitFor(() => expect(readStored('lastFigures')).toContain(answered));
  cleanup();
  queryClient.clear();
  server.use(http.all('*', () => HttpResponse.error()));
  page.setAttribute('data-offline', '');
  visit(path, { isSignedIn: true });
}

test('offline, cards without data say so, and none looks empty or as if registering had failed', async () => {
  server.use(answer(getUser, never), answer(debitsYTD, never), answer(debitsAllTime, never));
  server.use(answer(retrieveTotalDebits, { debitHistory: { documents: [] } }));
  await openOffline('/dashboard', ['retrieveTotalDebits']);
  const summary = await screen.findByRole('region', { name: 'Summary' });
  await waitFor(() => expect(summary).toHaveTextContent(`Supporting:${notHere}Donated This Year${notHere}`));
  expect(screen.getAllByText(notHere)).toHaveLength(3);
  expect(screen.queryByText(/Failed to|Your account could not be loaded/)).not.toBeInTheDocument();
  const months = screen.getByRole('region', { name: 'Donation History' });
  expect(months).toHaveTextContent('Nothing had been debited when this was loaded.');
});

test('offline, the bar claims no more than the screen shows', async () => {
  server.use(answer(getUser, never), answer(debitsAllTime, never));
  await openOffline('/dashboard', ['retrieveTotalDebits', 'debitsYTD']);
  await screen.findAllByText(notHere);
  expect(screen.getByText(/You are offline/)).toHaveTextContent(/You see what was loaded on/);
  cleanup();
  visit('/history', { isSignedIn: true });
  await screen.findAllByText(notHere);
  expect(screen.getByText(/You are offline/)).toHaveTextContent(/You see what was loaded on/); // the months
  cleanup();
  queryClient.clear();
  localStorage.removeItem('lastFigures');
  visit('/dashboard', { isSignedIn: true });
  await screen.findAllByText(notHere);
  expect(screen.getByText(/You are offline/)).toHaveTextContent("You are offline. Changes can't be saved.");
});

test('an unfinished visit keeps the answers of an earlier one', async () => {
  visit('/dashboard', { isSignedIn: true });
  for (const answered of ['findClub', 'debitsYTD', 'retrieveTotalDebits'])
    await waitFor(() => expect(readStored('lastFigures')).toContain(answered));
  cleanup();
  queryClient.clear();
  server.use(answer(getUser, never), answer(debitsYTD, never));
  await openOffline('/dashboard', ['retrieveTotalDebits']);
  expect(await within(await screen.findByRole('region', { name: 'Summary' })).findByText('$128.47')).toBeVisible();
  expect(screen.getByText('Harbour Hounds')).toBeVisible();
  expect(screen.queryByText(notHere)).not.toBeInTheDocument();
});
