import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RenewalPurpose, renewalLinks } from './renewal-links.ts';

const links = renewalLinks(randomBytes(32));
const now = new Date('2026-11-25T00:00:00Z');
const until = new Date('2026-12-25T00:00:00Z');
const purpose = fc.constantFrom<RenewalPurpose>('extend', 'expired');

test('a link is valid for its purpose and address until it expires, in any case of the address', () =>
  fc.assert(
    fc.property(
      purpose,
      fc.emailAddress(),
      fc.date({ min: now, max: until, noInvalidDate: true }),
      (what, email, at) => {
        const token = links.token(what, email, until);
        expect(links.isValid(what, email.toUpperCase(), token, at)).toBe(at < until);
      },
    ),
  ));

test('it is valid for no other purpose, address, key or time', () => {
  const token = links.token('extend', 'robin@example.com', until);
  expect(links.isValid('expired', 'robin@example.com', token, now)).toBe(false);
  expect(links.isValid('extend', 'alex@example.com', token, now)).toBe(false);
  expect(renewalLinks(randomBytes(32)).isValid('extend', 'robin@example.com', token, now)).toBe(false);
  expect(links.isValid('extend', 'robin@example.com', token, until)).toBe(false);
});

test('a link whose expiry or signature was altered is rejected', () => {
  const token = links.token('extend', 'robin@example.com', until);
  const [seconds, signature] = token.split('.');
  for (const other of [`${Number(seconds) + 1}.${signature}`, `${seconds}.${'A'.repeat(43)}`, `0${token}`])
    expect(links.isValid('extend', 'robin@example.com', other, now)).toBe(false);
});

test('any other text is rejected without an error', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (token) => {
      expect(links.isValid('extend', 'robin@example.com', token, now)).toBe(false);
    }),
  ));
