import { type IsoDate, isoDate, reasonNotRounded } from '@sparechange/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { retrieveAccounts } from '#features/supporters/accounts/retrieve-accounts.ts';
import { bankCustomer } from '#features/supporters/consents/consent-link.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { revokeWithdrawn, withdrawConsent } from '#features/supporters/consents/withdraw-consent.ts';
import { type Synced, syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { aDatabase, inBucketOf, type TestDatabase } from '#testing/database.ts';
import { aSupporter, aTenant, someTenants, type TestSupporter, testEncryption } from '#testing/makers.ts';
import { basiqOnSandbox } from '../testing/basiq-on-sandbox.ts';

type Basiq = Awaited<ReturnType<typeof basiqOnSandbox>>;
let database: TestDatabase;
let basiq: Basiq;
/** Answers given in Basiq's place, before the call goes out. */
let inItsPlace: (method: string, url: URL) => Response | undefined;
const struck: typeof fetch = async (input, init) =>
  inItsPlace(init?.method ?? 'GET', new URL(String(input))) ?? fetch(input, init);

beforeEach(async () => {
  inItsPlace = () => undefined;
  [database, basiq] = await Promise.all([aDatabase(), basiqOnSandbox(undefined, struck)]);
});
afterEach(() => Promise.all([database.drop(), basiq.close()]));

const deps = () => ({
  db: database.pool,
  clock: { now: basiq.now },
  bankLink: basiq.bankLink,
  encryption: testEncryption,
  tenants: someTenants(aTenant()),
  statementName: 'SPARECHANGE',
});
const robin = { email: 'robin@example.com', mobile: '0400000000', firstName: 'Robin', lastName: 'Banks' };

/** A supporter with a connected bank, giving since that day. */
async function anActiveSupporter(roundsFrom: IsoDate = isoDate('2026-11-01')): Promise<TestSupporter> {
  const bankCustomerId = await basiq.bankLink.createCustomer(robin);
  await basiq.connect(bankCustomerId);
  const [account] = await basiq.bankLink.listAccounts(bankCustomerId);
  return aSupporter(database.pool, { bankCustomerId, providerAccountId: account?.id ?? '', roundsFrom });
}
const sync = ({ supporterId }: TestSupporter): Promise<Synced> =>
  syncPurchases(inBucketOf(deps(), supporterId), supporterId);
const recorded = async (): Promise<number> => {
  const [row] = await database.rows<{ count: number }[]>`select count(*)::int as count from round_ups`;
  return row?.count ?? 0;
};
/** Counts a supporter's purchases at the bank, without faults. */
async function purchasesOf({ bankCustomerId, account }: TestSupporter, since: IsoDate): Promise<number> {
  const all = await basiq.bankLink.transactionsSince(bankCustomerId, since);
  const own = all.filter(({ accountId }) => accountId === account.providerAccountId);
  return own.filter((transaction) => !reasonNotRounded(transaction, 'SPARECHANGE')).length;
}
const isActive = async (): Promise<boolean> => {
  const [row] = await database.rows<{ active: boolean }[]>`select consent_active as active from supporters`;
  return row?.active === true;
};
const problem = (status: number, code: string, detail: string): Response =>
  Response.json({ type: 'list', correlationId: 'c', data: [{ type: 'error', code, title: code, detail }] }, { status });
/** Answers that many calls to paths with these words. */
const answer = (words: string, times: number, make: () => Response) => {
  let left = times;
  inItsPlace = (_method, url) => {
    if (left === 0 || !`${url.pathname}${url.search}`.includes(words)) return undefined;
    left -= 1;
    return make();
  };
};

describe('with any answer of Basiq while purchases are fetched, each is recorded once and none is lost', () => {
  const transactions = '/transactions';
  const tooOld = () => problem(403, 'access-denied', 'Token has expired');
  const noToken = () => problem(401, 'invalid-authorization-token', 'Invalid authorization token.');
  test.each<[string, () => void | Promise<void>, 'got over' | 'put off']>([
    ['a token that has expired', () => answer(transactions, 1, tooOld), 'got over'],
    ['a token that is refused', () => answer(transactions, 1, noToken), 'got over'],
    ['one token after the other refused', () => answer(transactions, 2, noToken), 'put off'],
    ['a key that is refused', () => answer('/token', 9, () => problem(404, 'resource-not-found', 'Key')), 'put off'],
    [
      '403, a scope we have not',
      () => answer(transactions, 1, () => problem(403, 'forbidden-access', 'No')),
      'put off',
    ],
    ['a short storm of 429', () => fault({ status: 429, count: 3 }), 'got over'],
    ['a long storm of 429', () => fault({ status: 429, count: 4 }), 'put off'],
    ['500, its own failure', () => fault({ status: 500, count: 1 }), 'put off'],
    ['503, for a moment', () => fault({ status: 503, count: 1 }), 'got over'],
    ['503, for longer than we try', () => fault({ status: 503, count: 4 }), 'put off'],
    ['no answer, once', () => fault({ timeoutBeforeEffect: true, count: 1 }), 'got over'],
    ['no answer to any try', () => fault({ timeoutBeforeEffect: true, count: 4 }), 'put off'],
    ['an answer that is lost', () => fault({ timeoutAfterEffect: true, count: 1 }), 'got over'],
    ['a page of somebody else', () => answer(transactions, 1, () => new Response('<h1>Oops</h1>')), 'put off'],
    [
      'the second page failing',
      () => answer('next=', 1, () => problem(500, 'internal-server-error', 'Oops')),
      'put off',
    ],
    ['the second page refused', () => answer('next=', 1, () => problem(400, 'parameter-not-valid', 'Next')), 'put off'],
  ])('%s', async (_name, strike, result) => {
    const since = isoDate('2025-06-01');
    const supporter = await anActiveSupporter(since);
    const expected = await purchasesOf(supporter, since);
    expect(expected).toBeGreaterThan(200);
    await basiq.pass(3_600_000); // the former token is due for another
    await strike();
    if (result === 'put off') {
      await expect(sync(supporter)).rejects.toThrow(/Basiq/);
      expect(await recorded()).toBe(0);
      expect(await isActive()).toBe(true);
      inItsPlace = () => undefined;
    }
    await sync(supporter);
    expect(await recorded()).toBe(expected);
    expect(await sync(supporter)).toMatchObject({ roundUps: 0 });
    expect((await auditBooks(database.pool)).violations).toEqual([]);
  });
  const fault = (overrides: object) =>
    basiq.control('/faults', { path: '/basiq/users', method: 'GET', holdMs: 5, ...overrides });
});

describe('a customer', () => {
  const asked = () => bankCustomer(database.pool.of(supporter.supporterId), basiq.bankLink, supporter.supporterId);
  let supporter: TestSupporter;
  beforeEach(async () => {
    supporter = await aSupporter(database.pool, { consentActive: false, account: false });
    await database.rows`update supporters set bank_customer_id = null`;
  });
  const kept = async () => {
    const [row] = await database.rows<{ id: string | null }[]>`select bank_customer_id as id from supporters`;
    return row?.id;
  };

  test.each(['timeoutBeforeEffect', 'timeoutAfterEffect'])('%s is not kept, and the next one is', async (when) => {
    await basiq.control('/faults', { path: '/basiq/users', method: 'POST', holdMs: 5, [when]: true, count: 1 });
    await expect(asked()).rejects.toThrow(ProviderUnavailable);
    expect(await kept()).toBeNull();
    const id = await asked();
    expect(await kept()).toBe(id);
    expect(await asked()).toBe(id);
    await basiq.connect(id);
    expect(
      await refreshConsent(
        database.pool.of(supporter.supporterId),
        deps().clock,
        basiq.bankLink,
        supporter.supporterId,
      ),
    ).toBe(true);
  });

  test('of several asked for in the same moment one is kept', async () => {
    const ids = await Promise.all([asked(), asked(), asked()]);
    expect(new Set(ids)).toEqual(new Set([await kept()]));
  });
});

describe('a consent', () => {
  const withdraw = ({ supporterId }: TestSupporter) =>
    withdrawConsent(inBucketOf(deps(), supporterId), supporterId, 'operator');
  const statesAtTheBank = async ({ bankCustomerId }: TestSupporter) =>
    (await basiq.bankLink.listConsents(bankCustomerId)).map(({ state }) => state);
  const fault = (overrides: object) =>
    basiq.control('/faults', { path: '/basiq/users', method: 'DELETE', holdMs: 5, ...overrides });

  test.each(['timeoutBeforeEffect', 'timeoutAfterEffect'])(
    'whose withdrawal meets %s ends immediately',
    async (when) => {
      const supporter = await anActiveSupporter();
      await fault({ [when]: true, count: 1 });
      expect(await withdraw(supporter)).toBe(1);
      expect([await isActive(), await statesAtTheBank(supporter)]).toEqual([false, ['revoked']]);
    },
  );

  test('that cannot be revoked now has ended here, stays ended, and ends there when it can', async () => {
    const supporter = await anActiveSupporter();
    await fault({ status: 503, count: 4 });
    await expect(withdraw(supporter)).rejects.toThrow(ProviderUnavailable);
    expect(
      await refreshConsent(
        database.pool.of(supporter.supporterId),
        deps().clock,
        basiq.bankLink,
        supporter.supporterId,
      ),
    ).toBe(false);
    expect([await isActive(), await statesAtTheBank(supporter)]).toEqual([false, ['active']]);
    expect(await revokeWithdrawn(inBucketOf(deps(), supporter.supporterId), supporter.supporterId)).toBe(1);
    expect([await isActive(), await statesAtTheBank(supporter)]).toEqual([false, ['revoked']]);
  });

  test.each([401, 403, 429, 500, 503])('is not taken for ended because Basiq answers %i', async (status) => {
    const supporter = await anActiveSupporter();
    inItsPlace = () => problem(status, 'some-code', 'No.');
    await expect(sync(supporter)).rejects.toThrow(ProviderUnavailable);
    expect(await isActive()).toBe(true);
  });

  test('of a customer deleted at Basiq has ended', async () => {
    const supporter = await anActiveSupporter();
    inItsPlace = () => problem(404, 'resource-not-found', 'Requested user does not exist.');
    expect(await sync(supporter)).toMatchObject({ transactions: 0 });
    expect(await isActive()).toBe(false);
  });
});

test('accounts that cannot be fetched now stay as they were', async () => {
  const supporter = await anActiveSupporter();
  await retrieveAccounts(inBucketOf(deps(), supporter.supporterId), supporter.supporterId);
  const listed = () => database.rows`select provider_account_id, is_listed from accounts order by provider_account_id`;
  const before = [...(await listed())];
  expect(before.length).toBeGreaterThan(1);
  answer('/accounts', 1, () => problem(500, 'internal-server-error', 'Oops'));
  await expect(retrieveAccounts(inBucketOf(deps(), supporter.supporterId), supporter.supporterId)).rejects.toThrow(
    ProviderUnavailable,
  );
  expect([...(await listed())]).toEqual(before);
});
