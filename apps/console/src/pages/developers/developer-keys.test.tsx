// @vitest-environment jsdom
import { listApiKeys, listApprovals } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { Keys } from './developer-keys.tsx';

signedInAs('owner');

const aKey = (given: object) => ({
  id: 'k1',
  name: 'Ladder',
  scopes: ['read_clubs'],
  club: null,
  state: 'valid',
  expiresAt: '2026-11-25T00:00:00.000Z',
  usedAt: null,
  formerUntil: null,
  ...given,
});

function open(key: object): void {
  queryClient.setQueryData([listApiKeys.name, {}], { pages: [{ rows: [key], next: null }], pageParams: [undefined] });
  render(
    <QueryClientProvider client={queryClient}>
      <Keys />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Ladder'));
}

test.each([
  ['valid', 'It may read clubs (All clubs). Last used: never.'],
  ['expired', 'It has expired, and could read clubs (All clubs). Last used: never.'],
  ['revoked', 'It is revoked, and could read clubs (All clubs). Last used: never.'],
])('a key that is %s says whether it may be used', (state, words) => {
  open(aKey({ state }));
  expect(screen.getByText(/Last used: never/).textContent).toBe(words);
});

test.each([
  [['write_clubs', 'read_payouts'], 'valid', ['/api/v1/payouts']],
  [['read_clubs'], 'revoked', []],
  [['write_clubs'], 'valid', []],
])('a key that may %j and is %s shows a call that works', (scopes, state, paths) => {
  open(aKey({ scopes, state }));
  const shown = screen.queryAllByText(/^curl /).map(({ textContent }) => /\/api\S+/.exec(textContent)?.[0]);
  expect(shown).toEqual(paths);
});

test.each([
  [null, 0],
  ['2026-11-26T00:00:00.000Z', 1],
])('rotating a key whose former secret is valid until %s says that it ends', (formerUntil, times) => {
  open(aKey({ formerUntil }));
  fireEvent.click(screen.getByText('Rotate its secret'));
  expect(screen.queryAllByText(/The secret before it.*stops working right away/)).toHaveLength(times);
});

test.each(['api_key', 'api_key_rotation'])('a request of %s stands beside the keys', (act) => {
  const request = {
    id: '1',
    act,
    state: 'asked',
    summary: 'API key Writer',
    lines: [],
    isOwn: true,
    isUnderWay: false,
  };
  const people = { askedBy: 'Olive', askedAt: new Date('2026-11-25T00:00:00Z'), decidedBy: null, failure: null };
  queryClient.setQueryData([listApprovals.name, 'answer', { act }], { approvals: [{ ...request, ...people }] });
  open(aKey({}));
  expect(screen.getByText('API key Writer')).toBeTruthy();
  expect(screen.getByText('Waits for a second person')).toBeTruthy();
});
