import { expect, test } from 'vitest';
import { problemsOfRedirects } from './check-redirects.ts';

const clubs = [
  { id: 'league', parentId: null },
  { id: 'wagga', parentId: 'league' },
  { id: 'surf', parentId: null },
];
const isTenant = (key: string) => ['bush-league', 'tidewater-surf'].includes(key);
const nothing = { verify: {}, confirmed: [], consented: {} };

test('a club may be named on every screen, with one home', () => {
  const redirects = {
    verify: { wagga: 'bush-league', surf: 'tidewater-surf' },
    confirmed: [{ parentClubId: 'league', tenant: 'bush-league' }],
    consented: { surf: 'tidewater-surf' },
  };
  expect(problemsOfRedirects(redirects, clubs, isTenant)).toEqual([]);
});

test('a club that one screen sends here and another one there goes round in a loop, also by its parent', () => {
  const redirects = {
    ...nothing,
    verify: { wagga: 'tidewater-surf' },
    confirmed: [{ parentClubId: 'league', tenant: 'bush-league' }],
  };
  expect(problemsOfRedirects(redirects, clubs, isTenant)).toEqual([
    'redirects.json sends supporters of wagga round in a loop: verify to tidewater-surf, confirmed to bush-league',
  ]);
});

test('clubs and tenants nobody knows are named', () => {
  const redirects = { ...nothing, confirmed: [{ parentClubId: 'gone', tenant: 'nowhere' }] };
  expect(problemsOfRedirects(redirects, clubs, isTenant)).toEqual([
    'redirects.json confirmed: there is no club gone',
    'redirects.json confirmed: there is no tenant nowhere',
  ]);
});
