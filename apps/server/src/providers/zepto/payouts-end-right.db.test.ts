import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { clubAddress } from '#features/disbursements/remittances/remittance-kind.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { emptiedDatabase, inBucketOf } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClub, aSupporter, silentLog, testEncryption } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { listOf } from '../../ports/direct-debit-form.suite.ts';
import { refusingFetch } from '../testing/refusing-fetch.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

type Zepto = Awaited<ReturnType<typeof zeptoOnSandbox>>;
const database = emptiedDatabase();
let zepto: Zepto;
const refusals = refusingFetch('/payments');
const dayMs = 86_400_000;

beforeEach(async () => {
  zepto = await zeptoOnSandbox(refusals.fetch);
});
afterEach(() => zepto.close());

const deps = () => ({
  db: database.pool,
  clock: { now: zepto.now },
  directDebit: zepto.directDebit,
  encryption: testEncryption,
  log: silentLog,
  statementName: 'SPARECHANGE',
  mailFrom: 'Sparechange <hello@sparechange.example>',
});

/** Makes a cleared debit of 91 cents. */
async function collectDebit(overrides: { clubId?: string; savings?: boolean }): Promise<string> {
  const directDebit = fakeDirectDebit({ now: zepto.now });
  const supporter = await aSupporter(database.pool, { directDebit, ...overrides });
  await aClearedDebit({ ...deps(), directDebit }, supporter, 91);
  return supporter.email;
}

/** The kinds of payouts: how one falls due, how it is paid, and which table holds its state. */
const kinds = {
  'a savings deposit': {
    table: 'deposits',
    makeDue: async () => {
      const email = await collectDebit({ savings: true });
      await zepto.pass(13 * dayMs); // Tuesday, the first of December
      return email;
    },
    pay: () => depositSavings(deps()),
  },
  'a remittance to a club': {
    table: 'remittances',
    makeDue: async () => {
      const clubId = await aClub(database.pool);
      await setBankDetails(database.pool, clubId, '12345678');
      await collectDebit({ clubId });
      await zepto.pass(dayMs);
      return clubAddress(deps().mailFrom, clubId);
    },
    pay: () => remitToClubs(deps()),
  },
  'a refund of a debit': {
    table: 'repayments',
    makeDue: async () => {
      const email = await collectDebit({});
      const [debit] = await database.rows<{ id: string; supporterId: string }[]>`
        select id, supporter_id as "supporterId" from debits`;
      const { id = '', supporterId = '' } = debit ?? {};
      await planRepayment(inBucketOf(deps(), supporterId), { supporterId, debitId: id, reason: 'a test' });
      return email;
    },
    pay: () => submitPayouts(deps(), repaymentKind),
  },
} as const;
type Kind = keyof typeof kinds;

const stateOf = async (kind: Kind): Promise<string> => {
  const rows = await database.rows<{ state: string }[]>`
    select state from ${database.pool(kinds[kind].table)} order by planned_at`;
  return rows.map(({ state }) => state).join();
};
const fault = (overrides: object) => zepto.control('POST', '/faults', { method: 'POST', holdMs: 5, ...overrides });
const payments = { path: '/zepto/payments' };
const expectCleanAudit = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);

describe.each(Object.keys(kinds) as Kind[])(
  'after any answer of Zepto, %s is paid once and ends as submitted',
  (kind) => {
    const { makeDue, pay } = kinds[kind];

    test.each<[string, object | number, 'submitted' | 'submitting']>([
      ['500, its own failure', { ...payments, status: 500, count: 1 }, 'submitting'],
      ['503, for a moment', { ...payments, status: 503, count: 1 }, 'submitted'],
      ['503, for longer than we try', { ...payments, status: 503, count: 2 }, 'submitting'],
      ['a storm of 429', { ...payments, status: 429, count: 2 }, 'submitting'],
      ['401, a token that is no longer good', 401, 'submitting'],
      ['403, access withdrawn', 403, 'submitting'],
      ['nothing, and did nothing', { ...payments, timeoutBeforeEffect: true, count: 2 }, 'submitting'],
      ['nothing, and paid it', { ...payments, timeoutAfterEffect: true, count: 2 }, 'submitting'],
      [
        'nothing to the payee, and added them',
        { path: '/zepto/contacts', timeoutAfterEffect: true, count: 1 },
        'submitting',
      ],
      ['503 when asked for the payee', { path: '/zepto/contacts', method: 'GET', status: 503, count: 2 }, 'submitting'],
      [
        '503 when asked for our account',
        { path: '/zepto/bank_accounts', method: 'GET', status: 503, count: 2 },
        'submitting',
      ],
    ])('%s', async (_name, overrides, meanwhile) => {
      await makeDue();
      if (typeof overrides === 'number') refusals.statuses.push(overrides);
      else await fault(overrides);
      expect(await pay()).toMatchObject({ unknown: meanwhile === 'submitting' ? 1 : 0 });
      expect(await stateOf(kind)).toBe(meanwhile);
      await pay();
      expect(await stateOf(kind)).toBe('submitted');
      expect(await zepto.taken()).toHaveLength(1);
      await expectCleanAudit();
    });

    test('nothing, but paid it, and we ask again only after its idempotency key has expired', async () => {
      await makeDue();
      await fault({ ...payments, timeoutAfterEffect: true, count: 2 });
      expect(await pay()).toMatchObject({ unknown: 1 });
      await zepto.pass(30 * 3_600_000);
      await pay();
      expect(await stateOf(kind)).toBe('submitted');
      expect(await zepto.taken()).toHaveLength(1);
    });
  },
);

describe.each(Object.keys(kinds) as Kind[])('any outcome of %s, reported in any order', (kind) => {
  const { makeDue, pay } = kinds[kind];
  const outcomesOf = () => listOf(zepto.directDebit.outcomesSince(new Date(0)));

  test.each([
    ['it clears, reported three times', undefined, 'cleared'],
    ['it comes back with code 5, reported three times', 5, 'returned'],
  ] as const)('%s', async (_name, code, expected) => {
    const email = await makeDue();
    if (code) await zepto.control('POST', '/returns', { email, code, of: 'deposit' });
    await pay();
    const earlyOutcomes = await outcomesOf();
    await zepto.settle();
    for (let attempt = 0; attempt < 2; attempt += 1) await pollOutcomes(deps());
    for (const outcome of [...(await outcomesOf()), ...earlyOutcomes]) await applyOutcome(deps(), outcome);
    expect(await stateOf(kind)).toBe(expected);
    await expectCleanAudit();
  });

  test('it clears and is returned later', async () => {
    await makeDue();
    await pay();
    await zepto.settle();
    await pollOutcomes(deps());
    const [cleared] = await outcomesOf();
    const lateReturn = {
      providerRef: cleared?.providerRef ?? '',
      state: 'returned',
      code: 2,
      at: zepto.now(),
    } as const;
    expect(await applyOutcome(deps(), lateReturn)).toBe('reversed');
    expect(await applyOutcome(deps(), { ...lateReturn, state: 'cleared' })).toBe('nothing');
    expect(await stateOf(kind)).toBe('reversed');
    await expectCleanAudit();
  });
});

test('a deposit into an account that does not exist is refused with its reason and stays set aside', async () => {
  await kinds['a savings deposit'].makeDue();
  const [row] = await database.rows<{ id: string }[]>`select supporter_id as id from savings_accounts`;
  const encrypted = testEncryption.encrypt('123456789012', `supporter ${row?.id} savings account number`);
  await database.rows`update savings_accounts set account_number_encrypted = ${encrypted}`;
  const { deposits, refused } = await depositSavings(deps());
  expect([deposits, refused]).toEqual([
    0,
    [{ id: expect.any(String), cents: 45, reason: expect.stringContaining('422') }],
  ]);
  expect(await stateOf('a savings deposit')).toBe('refused');
  expect(await zepto.taken()).toEqual([]);
  await expectCleanAudit();
});
