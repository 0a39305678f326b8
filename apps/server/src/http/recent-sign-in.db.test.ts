import * as contract from '@sparechange/contract';
import { beforeEach, expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anAccount, aSupporter, type TestSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { aWholeApp, identityKey, signUp } from '#testing/whole-app.ts';

let signedInAgo = 0;
const authTime = () => Math.floor(Date.now() / 1000) - signedInAgo;
const api = ownApp({
  verifyIdToken: async (uid) => ({ uid, email: `${uid}@example.com`, authTime: authTime() }),
});
beforeEach(() => {
  signedInAgo = 26 * 60;
  api.clock.setTo('2026-11-24T22:00:00Z');
});

const values = { accountName: 'Holiday', bsb: '062000', accountNumber: '12345678' };
const linkSavings = ({ supporterId: cdrid, uid }: TestSupporter, accountNumber = '12345678') =>
  api.call(contract.submitSavingsAccount, { cdrid, values: { ...values, accountNumber } }, { uid });
const linked = async ({ supporterId, uid }: TestSupporter) =>
  (await api.call(contract.retrieveLinkedSavings, { userId: supporterId }, { uid })).body.savingsAccount.document;
const mailed = async ({ supporterId }: TestSupporter) => {
  const rows = await api.rows<{ kind: string }[]>`
    select facts->>'kind' as kind from mails where supporter_id = ${supporterId} order by queued_at, key`;
  return rows.map(({ kind }) => kind);
};
const refused = { status: 403, body: { error: { code: 'requires-recent-login' } } };
const fund = ({ supporterId: cdrid, uid }: TestSupporter, account: { id: string; providerAccountId: string }) =>
  api.call(
    contract.registerFunding,
    {
      cdrid,
      account_id: account.id,
      accountId: account.providerAccountId,
      tenantA: 'default',
      activeDebitEnabled: true,
    },
    { uid },
  );

test('with a sign-in 26 minutes old neither account is changed and nothing is downloaded', async () => {
  const supporter = await api.supporter();
  const other = await anAccount(api.db, supporter);
  const { supporterId: cdrid, uid } = supporter;
  expect(await linkSavings(supporter)).toMatchObject(refused);
  expect(await fund(supporter, other)).toMatchObject(refused);
  expect(await fund(supporter, supporter.account)).toMatchObject(refused);
  const accounts = [supporter.account, other].map(({ id, providerAccountId }) => ({
    account_id: id,
    accountId: providerAccountId,
    activeDebitEnabled: id === other.id,
  }));
  const updated = await api.call(contract.updateFundingAccount, { cdrid, tenantA: 'default', accounts }, { uid });
  expect(updated).toMatchObject(refused);
  expect(await api.call(contract.downloadEverything, { cdrid }, { uid })).toMatchObject(refused);
  expect(await linked(supporter)).toBeNull();
  expect(await mailed(supporter)).toEqual([]);
});

test('before onboarding is complete an older sign-in will do, and only the direct debit request is emailed', async () => {
  const supporter = await api.supporter({ roundsFrom: null });
  const other = await anAccount(api.db, supporter);
  expect((await linkSavings(supporter)).status).toBe(200);
  expect((await fund(supporter, other)).status).toBe(200);
  expect(await mailed(supporter)).toEqual(['direct_debit_request']);
});

test('changes with a recent sign-in are made and emailed', async () => {
  signedInAgo = 60;
  const supporter = await api.supporter();
  const other = await anAccount(api.db, supporter);
  expect((await linkSavings(supporter)).status).toBe(200);
  expect((await fund(supporter, other)).status).toBe(200);
  expect(await mailed(supporter)).toEqual([
    'direct_debit_request',
    'funding_account_changed',
    'savings_account_changed',
  ]);
});

test('agreeing again to debits from the same account is emailed, but not as a change', async () => {
  signedInAgo = 60;
  const supporter = await api.supporter();
  expect((await fund(supporter, supporter.account)).status).toBe(200);
  expect(await mailed(supporter)).toEqual(['direct_debit_request']);
});

test('a changed savings account receives nothing for two banking days', async () => {
  signedInAgo = 60;
  const supporter = await api.supporter();
  await linkSavings(supporter);
  expect(await linked(supporter)).toEqual({
    accountName: 'Holiday',
    accountNumber: 'XXXX5678',
    receivesFrom: null,
    problem: null,
  });
  await aPastDebit(api.db, supporter, { day: '2026-11-06', amount: 800, savings: 400 });
  api.clock.setTo('2026-12-01T00:00:00Z'); // a Tuesday, the day of deposits
  await linkSavings(supporter, '98765432');
  expect(await linked(supporter)).toMatchObject({ accountNumber: 'XXXX5432', receivesFrom: '2026-12-03' });
  const deposit = async () =>
    (await depositSavings({ ...api, statementName: 'SPARECHANGE', mailFrom: 'hello@sparechange.example' })).totalCents;
  expect(await deposit()).toBe(0);
  api.clock.setTo('2026-12-02T00:00:00Z');
  expect(await deposit()).toBe(0);
  api.clock.setTo('2026-12-03T00:00:00Z');
  expect(await deposit()).toBe(400);
  expect(await linked(supporter)).toMatchObject({ receivesFrom: null });
});

test('a deposit planned before the change waits as well, and the audit finds one that did not', async () => {
  signedInAgo = 60;
  const supporter = await api.supporter({ savings: true });
  await aPastDebit(api.db, supporter, { day: '2026-11-06', amount: 800, savings: 400 });
  api.clock.setTo('2026-12-01T00:00:00Z');
  const deps = { ...api, statementName: 'SPARECHANGE', mailFrom: 'hello@sparechange.example' };
  const submitPayouts = api.directDebit.submitPayouts;
  api.directDebit.submitPayouts = async () => [];
  await depositSavings(deps).catch(() => {});
  api.directDebit.submitPayouts = submitPayouts;
  await linkSavings(supporter, '98765432');
  await depositSavings(deps).catch(() => {});
  const state = async () => {
    const [row] = await api.rows`select state from deposits where supporter_id = ${supporter.supporterId}`;
    return row?.state;
  };
  expect(await state()).toBe('submitting');
  const violations = async () =>
    (await auditBooks(api.db)).violations.filter((text) => text.includes('changed savings'));
  expect(await violations()).toEqual([]);
  await api.rows`
    update deposits set account_linked_at = savings.linked_at from savings_accounts savings
    where savings.supporter_id = deposits.supporter_id and deposits.supporter_id = ${supporter.supporterId}`;
  expect(await violations()).toHaveLength(1);
});

test('a password change is notified by email to an onboarded supporter and to nobody else', async () => {
  const whole = await aWholeApp();
  try {
    for (const [email, roundsFrom, expected] of [
      ['supporter@example.com', '2026-01-01', ['password_changed']],
      ['starter@example.com', null, []],
    ] as const) {
      const { uid, idToken } = await signUp(whole, email);
      const supporter = await aSupporter(whole.db, { uid, email, roundsFrom });
      const answer = await whole.app.inject({
        method: 'POST',
        url: `/identitytoolkit.googleapis.com/v1/accounts:update?key=${identityKey}`,
        payload: { idToken, password: 'another long password', returnSecureToken: true },
      });
      expect(answer.statusCode).toBe(200);
      const rows = await whole.rows<{ kind: string }[]>`
        select facts->>'kind' as kind from mails where supporter_id = ${supporter.supporterId}`;
      expect(rows.map(({ kind }) => kind)).toEqual(expected);
    }
  } finally {
    await whole.close();
  }
});
