import { expect, test } from 'vitest';
import * as contract from './index.ts';
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
const operations = Object.entries<unknown>(contract).flatMap(([name, value]) =>
  isOperation(value) ? [{ exported: name, operation: value }] : [],
);

/** Every path that the specification declares (section 7). */
const declared = [
  ...[
    'get-user',
    'register',
    'consent',
    'register-funding',
    'consent-extend',
    'consent-expired',
    'check-consent',
    'check-job',
    'retrieve-accounts',
    'accounts',
    'set-roundup-accounts',
    'set-roundup-amount',
    'set-weekly-limit',
    'set-pause',
    'onboarding-complete',
    'manage-consent',
    'retrieve-total-debits',
    'debits-ytd',
    'debits-total',
    'retrieve-history',
    'linked-savings',
    'submit-savings-account',
    'set-savings-account',
    'update-roundup-accounts',
    'donate-now',
    'update-funding-account',
  ].map((name) => `POST /client/round-up/user/${name}`),
  'POST /handlers/basiq/find-jobs',
  'POST /clubs/find',
  'POST /clubs/club',
  'GET /clubs/retrieve',
];

test('every declared path is served by one operation, and no other path is', () => {
  expect(operations.map(({ operation }) => `${operation.method} ${operation.path}`).toSorted()).toEqual(
    declared.toSorted(),
  );
});

test('an operation is named as it is exported', () => {
  for (const { exported, operation } of operations) expect(operation.name).toBe(exported);
});

test('only clubs and the renewal of a consent are open to everybody', () => {
  const open = operations.filter(({ operation }) => operation.access === 'open').map(({ exported }) => exported);
  expect(open.toSorted()).toEqual([
    'extendConsent',
    'findClub',
    'findClubBySlug',
    'renewExpiredConsent',
    'retrieveClubs',
  ]);
});

test('exactly one account can be the funding account', () => {
  const account = (id: string, activeDebitEnabled: boolean) => ({
    account_id: `11111111-1111-4111-8111-11111111111${id}`,
    accountId: id,
    activeDebitEnabled,
  });
  const accepts = (...accounts: ReturnType<typeof account>[]) =>
    contract.updateFundingAccount.input.safeParse({
      cdrid: '11111111-1111-4111-8111-111111111111',
      tenantA: 'default',
      accounts,
    }).success;
  expect(accepts(account('1', true), account('2', false))).toBe(true);
  expect(accepts(account('1', false), account('2', false))).toBe(false);
  expect(accepts(account('1', true), account('2', true))).toBe(false);
  expect(accepts()).toBe(false);
});
