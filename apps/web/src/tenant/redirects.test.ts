import { expect, test } from 'vitest';
import { confirmedTenant } from './redirects.ts';

const rules = [
  { clubId: 'hounds', tenant: 'harbour-hounds' },
  { parentClubId: 'league', tenant: 'bush-league' },
];

test('a rule that names the club itself applies', () => {
  expect(confirmedTenant(rules, { _id: 'hounds', parent_club: null })).toBe('harbour-hounds');
});

test('a rule that names the parent club applies', () => {
  expect(confirmedTenant(rules, { _id: 'wagga', parent_club: 'league' })).toBe('bush-league');
});

test('a club that no rule names is not redirected', () => {
  expect(confirmedTenant(rules, { _id: 'surf', parent_club: null })).toBeUndefined();
});
