// @vitest-environment jsdom
import { listClubs, listPayments, listSupporters, listTenants } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { pages } from '../pages.ts';
import { signedInAs } from '../testing/signed-in.ts';
import Palette from './palette.tsx';

const nadia = {
  id: '6efe692f-6795-4631-91df-3dd67b72f676',
  name: 'Nadia Haddad',
  email: 'nadia@example.org',
  mobile: '0412345678',
  tenant: 'Harbour Hounds',
  club: 'Harbour Hounds',
  onboardedOn: null,
  isClosed: false,
  isOnHold: false,
  isPaused: false,
};
const payment = {
  id: '6efe692f-6795-4631-91df-3dd67b72f677',
  reference: 'PR000000001',
  kind: 'donation',
  state: 'cleared',
  amountCents: 2000,
  supporter: { id: nadia.id, name: nadia.name, email: nadia.email },
  club: null,
  plannedOn: '2026-11-30',
};

const Address = () => {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
};

/** Opens the palette over these answers of the lists; a list without one fails. */
function open(found: Partial<Record<string, object[]>> = {}, mine = pages) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://localhost');
    const list = pathname.split('/').at(-1) ?? '';
    asked.push(list);
    const rows = found[list];
    if (!rows)
      return Response.json({ error: { code: 'internal', message: 'Sorry.', requestId: '1' } }, { status: 500 });
    return Response.json({ rows, next: null, silentServers: [] });
  });
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/today']}>
        <Routes>
          <Route path="*" element={<Palette pages={mine} onClose={onClose} />} />
        </Routes>
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const box = screen.getByRole('combobox');
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  return { box, type, onClose, asked };
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const place = () => document.querySelector('output')?.textContent;
const nothing = { payments: [], supporters: [], clubs: [], tenants: [] };
Element.prototype.scrollIntoView = () => {}; // jsdom has none

describe('for finance', () => {
  signedInAs('finance');

  test('nine characters of a reference and Enter open the payment', async () => {
    const { box, type, onClose } = open({ ...nothing, payments: [payment] });
    type('PR0000000');
    await screen.findByText('Donation $20.00');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(place()).toBe('/payments/PR000000001');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('arrow keys choose, round from the last to the first', () => {
    const { box } = open();
    const chosen = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent;
    expect(chosen()).toBe('Today');
    fireEvent.keyDown(box, { key: 'ArrowDown' });
    expect(chosen()).toBe('Runs');
    fireEvent.keyDown(box, { key: 'ArrowUp' });
    fireEvent.keyDown(box, { key: 'ArrowUp' });
    expect(chosen()).toBe(options().at(-1));
  });

  test('an act opens its dialog on its page', async () => {
    const { box, type } = open(nothing);
    type('bank state');
    await waitFor(() => expect(options()).toEqual(['Import a bank statement']));
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(place()).toBe('/reconciliation?do=import');
  });

  test('a list that cannot be read is named, and the others are shown', async () => {
    const { type } = open({
      ...nothing,
      payments: undefined,
      supporters: [nadia],
    });
    type('nadia');
    await screen.findByText('nadia@example.org');
    await screen.findByText('Some lists could not be read.');
  });

  test('nothing found says what was looked for', async () => {
    const { type } = open(nothing);
    type('zzzz');
    await screen.findByText('Nothing found for “zzzz”.');
  });
});

describe('for a viewer', () => {
  signedInAs('viewer');

  test('people that the role may not see are not looked for, and no act is offered', async () => {
    const mine = pages.filter(({ needs }) => [listClubs.name, listTenants.name].includes(needs.name));
    const { type, asked } = open(nothing, mine);
    expect(options()).toEqual(['Clubs', 'Tenants']);
    type('nadia');
    await screen.findByText('Nothing found for “nadia”.');
    expect(asked).not.toContain(listPayments.path.slice(1));
    expect(asked).not.toContain(listSupporters.path.slice(1));
    expect(asked).toContain('clubs');
  });
});
