import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

test.each([
  ['Account 157441965 is invalid', 'Account (number) is invalid'],
  ['BSB 062-000 and 12 345 678', 'BSB (number) and (number)'],
  ["Contact 'joan@example.com' exists", 'Contact (address) exists'],
  ['Token eyJhbGciOiJIUzI1NiJ9.eyJzY29wZSI6IlMifQ.c2ln has expired', 'Token (token) has expired'],
  ['Amount exceeds 2500 cents', 'Amount exceeds 2500 cents'],
  ['two\n  lines', 'two lines'],
])('%j becomes %j', (text, clean) => expect(withoutSecrets(text)).toBe(clean));

test('an id keeps its digits: it names a record, not an account', () => {
  const text = 'Authoriser contact (de86472c-c027-4735-a6a7-234366a27fc7) has no agreement';
  expect(withoutSecrets(text)).toBe(text);
});

test('a page of HTML is cut short', () => expect(withoutSecrets('x '.repeat(5_000)).length).toBeLessThanOrEqual(300));
