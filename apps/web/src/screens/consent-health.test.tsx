import { getUser, renewOwnConsent, retrieveSavingsSplit, type UserRecord } from '@sparechange/contract';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { aSupporter, cdrid } from '../testing/makers.ts';
import { answer, callsOf, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

vi.mock('#api/leave.ts', () => ({ leaveFor: vi.fn() }));

type Health = UserRecord['consentHealth'];
const well: Health = { state: 'good', endsOn: '2027-10-03', dataOn: '2026-11-21' };
function open(path: string, changes: Partial<Health>) {
  const consentHealth = { ...well, ...changes };
  server.use(answer(getUser, { userRecord: { document: aSupporter({ consentHealth }) } }));
  return visit(path, { isSignedIn: true });
}
const card = async () => within(await screen.findByRole('region', { name: 'Bank Connection' }));

test('until when it lasts and when the bank last answered stand on the linked accounts, with nothing to press', async () => {
  open('/linked-accounts', {});
  expect((await card()).getByText('Sun 3 Oct 2027')).toBeVisible();
  expect((await card()).getByText('Sat 21 Nov 2026')).toBeVisible();
  expect((await card()).queryByRole('button')).not.toBeInTheDocument();
});

test('one that ends soon is renewed at the bank', async () => {
  server.use(answer(renewOwnConsent, { consentLink: 'https://bank.test/extend' }));
  const user = open('/linked-accounts', { state: 'ends soon', endsOn: '2026-12-09' });
  await user.click((await card()).getByRole('button', { name: 'Renew Consent' }));
  await vi.waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.test/extend'));
  expect(callsOf(renewOwnConsent)[0]?.input).toEqual({ cdrid });
});

test.each<[string, Health, RegExp, boolean]>([
  [
    'ran out',
    { state: 'ran out', endsOn: '2026-11-20', dataOn: '2026-11-20' },
    /bought meanwhile is then rounded up/,
    true,
  ],
  [
    'ran out, its data deleted',
    { state: 'ran out', endsOn: '2026-09-20', dataOn: null },
    /until you renew it\.$/,
    true,
  ],
  ['was withdrawn', { state: 'withdrawn', endsOn: '2026-11-20', dataOn: null }, /As you asked/, false],
  ['is silent', { state: 'silent', endsOn: '2027-10-03', dataOn: '2026-11-12' }, /nothing for a week/, false],
])('of one that %s it is said what that means', async (_what, health, words, canRenew) => {
  open('/linked-accounts', health);
  expect((await card()).getByText(words)).toBeVisible();
  expect((await card()).queryAllByRole('button', { name: 'Renew Consent' })).toHaveLength(canRenew ? 1 : 0);
});

test('the dashboard has a line only while there is something to do', async () => {
  open('/dashboard', { state: 'silent' });
  const line = await screen.findByText('Your bank has sent nothing for a week.');
  expect(within(line).getByRole('link')).toHaveAttribute('href', '/linked-accounts');
});

test('the dashboard says nothing of a consent that is well', async () => {
  open('/dashboard', {});
  expect(await screen.findByText('Harbour Hounds')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Look at it' })).not.toBeInTheDocument();
});

test('giving and saving are read out as one split with the next deposit', async () => {
  open('/dashboard', {});
  const parts = within(await screen.findByRole('list', { name: 'This year' })).getAllByRole('listitem');
  expect(parts.map((part) => part.textContent)).toEqual(['Given this year: $93.10', 'Saved this year: $91.20']);
  expect(screen.getByText(/Next deposit/)).toHaveTextContent('Next deposit Tue 1 Dec: $9.21 so far');
});

test('without a linked account there is no next deposit', async () => {
  server.use(answer(retrieveSavingsSplit, { clubCents: 431, savingsCents: 0, nextDeposit: null }));
  open('/dashboard', {});
  expect(await screen.findByText('$4.31')).toBeVisible();
  expect(screen.queryByText(/Next deposit/)).not.toBeInTheDocument();
});
