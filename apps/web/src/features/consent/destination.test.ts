import { expect, test } from 'vitest';
import { destinationAfterVerifying } from './destination.ts';

const redirects = { verify: { hounds: 'harbour-hounds' } };

test('a mapped club continues at its tenant', () => {
  expect(destinationAfterVerifying({ supportingClubId: 'hounds' }, redirects)).toEqual({
    kind: 'tenant',
    tenant: 'harbour-hounds',
  });
});

test('a club without a mapping is unmapped', () => {
  expect(destinationAfterVerifying({ supportingClubId: 'bowls' }, redirects)).toEqual({ kind: 'unmapped' });
});

test.each([undefined, { supportingClubId: '' }])('no user or no club has no organisation', (user) => {
  expect(destinationAfterVerifying(user, redirects)).toEqual({ kind: 'no organisation' });
});
