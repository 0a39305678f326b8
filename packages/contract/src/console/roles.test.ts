import { describe, expect, test } from 'vitest';
import { type Permitted, type Role, refusalOfCall, roles } from './roles.ts';

const person = (role: Role, more: Partial<Permitted> = {}): Permitted => ({
  roles: [role],
  clubIds: role === 'treasurer' ? ['own'] : [],
  isByLink: false,
  ...more,
});

const payouts = { allowed: ['finance', 'treasurer'] as const, clubField: 'clubId', readsOnly: true as const };
const contact = { allowed: ['owner', 'treasurer'] as const, clubField: 'clubId' };

describe('a call about a club', () => {
  test.each([
    ['finance', 'other', undefined],
    ['treasurer', 'own', undefined],
    ['treasurer', 'other', 'not-allowed'],
    ['treasurer', undefined, 'not-allowed'],
    ['owner', 'own', 'not-allowed'],
  ] as const)('by a %s about the club %s', (role, clubId, refusal) => {
    expect(refusalOfCall(payouts, person(role), { clubId })).toBe(refusal);
  });

  test('about several clubs together, or about none, is refused to a treasurer', () => {
    for (const input of [{ clubId: ['own', 'other'] }, { clubId: null }, null, undefined, {}])
      expect(refusalOfCall(payouts, person('treasurer'), input)).toBe('not-allowed');
  });
});

describe('somebody who came by an emailed link', () => {
  test('reads as treasurer, and changes nothing', () => {
    const byLink = person('treasurer', { isByLink: true });
    expect(refusalOfCall(payouts, byLink, { clubId: 'own' })).toBeUndefined();
    expect(refusalOfCall(contact, byLink, { clubId: 'own' })).toBe('not-allowed');
    expect(refusalOfCall(contact, person('treasurer'), { clubId: 'own' })).toBeUndefined();
  });

  test.each(roles.filter((role) => role !== 'treasurer'))('as %s may set up a sign-in and nothing else', (role) => {
    const byLink = person(role, { isByLink: true });
    expect(refusalOfCall({ allowed: [role], readsOnly: true }, byLink, {})).toBe('not-allowed');
    expect(refusalOfCall({ allowed: 'signed_in' }, byLink, {})).toBeUndefined();
  });
});

test('somebody signed out may make calls for anyone', () => {
  expect(refusalOfCall({ allowed: 'anyone' }, undefined, {})).toBeUndefined();
  expect(refusalOfCall({ allowed: 'signed_in' }, undefined, {})).toBe('signed-out');
  expect(refusalOfCall({ allowed: ['owner'] }, undefined, {})).toBe('signed-out');
});

test('every role is one that the database takes', () => {
  expect(roles).toEqual(['owner', 'finance', 'support', 'viewer', 'treasurer']);
});
