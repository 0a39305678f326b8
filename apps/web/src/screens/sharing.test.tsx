import { debitsYTD, retrieveGivenPicture } from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { cdrid } from '../testing/makers.ts';
import { openDashboard } from '../testing/open-dashboard.ts';
import { answer, callsOf, server } from '../testing/server.ts';

const url = `${window.location.origin}/?efg=1&u=${cdrid}`;
const picture = () =>
  http.get('*/share/default/club-hounds.png', () => HttpResponse.arrayBuffer(new TextEncoder().encode('drawn').buffer));

/** Gives the browser a share sheet; returns the shared data. */
function aSheet({ takesFiles }: { takesFiles: boolean }): ShareData[] {
  const shared: ShareData[] = [];
  const share = async (it: ShareData) => void shared.push(it);
  const canShare = ({ files }: ShareData) => takesFiles || !files;
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  Object.defineProperty(navigator, 'canShare', { configurable: true, value: canShare });
  return shared;
}
afterEach(() => {
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
});

const shareButton = () => screen.findByRole('button', { name: 'Share your club' });
const choice = () => screen.findByRole('checkbox', { name: "Add a picture of what I've given" });

test('a club is shared without an amount unless that is chosen', async () => {
  const shared = aSheet({ takesFiles: true });
  const user = openDashboard();
  expect(await choice()).not.toBeChecked();
  await user.click(await shareButton());
  expect(shared).toEqual([{ title: 'Harbour Hounds', url }]);
  expect(callsOf(retrieveGivenPicture)).toEqual([]);
});

test('on request the picture with the amount is shown, and shared as a file with the link', async () => {
  server.use(picture());
  const shared = aSheet({ takesFiles: true });
  const user = openDashboard();
  await user.click(await choice());
  expect(await screen.findByRole('img', { name: 'I have given $128.47 to Harbour Hounds' })).toBeVisible();
  await user.click(await shareButton());
  expect(shared).toEqual([{ title: 'Harbour Hounds', url, files: [expect.any(File)] }]);
  expect(await shared[0]?.files?.[0]?.text()).toBe('drawn');
  await user.click(await choice());
  await user.click(await shareButton());
  expect(shared[1]).toEqual({ title: 'Harbour Hounds', url });
});

test('where files cannot be shared the picture is saved and the link copied', async () => {
  server.use(picture());
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => 'blob:picture';
  const shared = aSheet({ takesFiles: false });
  const user = openDashboard();
  await user.click(await choice());
  await screen.findByRole('img', { name: /^I have given/ });
  await user.click(await shareButton());
  expect(await screen.findByText('Picture saved, link copied.')).toBeVisible();
  expect([saved, shared]).toEqual([['what-i-have-given.png'], []]);
  expect(await navigator.clipboard.readText()).toBe(url);
});

test('a picture that cannot be drawn says so and is tried again', async () => {
  server.use(http.get('*/share/default/club-hounds.png', () => new HttpResponse(null, { status: 503 })));
  const user = openDashboard();
  await user.click(await choice());
  expect(await screen.findByText('Your picture could not be drawn.')).toBeVisible();
  expect(await shareButton()).toBeDisabled();
  server.use(picture());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('img', { name: /^I have given/ })).toBeVisible();
});

test.each([
  ['has given nothing yet', { debitYTD: 0 }],
  ['has a first debit on its way', { debitYTD: 342, inFlightCents: 342 }],
])('a supporter who %s has no amount to show', async (_who, figures) => {
  server.use(answer(debitsYTD, figures));
  openDashboard();
  await shareButton();
  await waitFor(() => expect(callsOf(debitsYTD)).toHaveLength(1));
  expect(screen.queryByRole('checkbox', { name: "Add a picture of what I've given" })).not.toBeInTheDocument();
});
