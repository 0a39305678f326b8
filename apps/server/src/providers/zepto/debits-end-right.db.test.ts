import { isoDate } from '@sparechange/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeBankLink } from '#testing/fake-bank-link.ts';
import { aPurchase, aSupporter, aTenant, silentLog, someTenants } from '#testing/makers.ts';
import { listOf } from '../../ports/direct-debit-form.suite.ts';
import { refusingFetch } from '../testing/refusing-fetch.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

type Zepto = Awaited<ReturnType<typeof zeptoOnSandbox>>;
const database = emptiedDatabase();
let zepto: Zepto;
beforeEach(async () => {
  zepto = await zeptoOnSandbox(access.fetch);
});
afterEach(() => zepto.close());

const access = refusingFetch('/payment_requests');

const deps = () => ({
  db: database.pool,
  clock: { now: zepto.now },
  directDebit: zepto.directDebit,
  bankLink: fakeBankLink(),
  log: silentLog,
  tenants: someTenants(aTenant()),
  statementName: 'SPARECHANGE',
});

/** Plans a debit of 70 cents on the sandbox's Wednesday. */
async function plan(): Promise<void> {
  const supporter = await aSupporter(database.pool, { directDebit: zepto.directDebit });
  const now = zepto.now();
  await recordRoundUps(database.pool.of(supporter.supporterId), now, [aPurchase(supporter, { day: '2026-11-17' })]);
  await planDebits(database.pool, deps().clock, someTenants(aTenant()), isoDate('2026-11-18'));
}
const state = async (): Promise<string> => {
  const rows = await database.rows<{ state: string }[]>`select state from debits`;
  return rows.map((row) => row.state).join();
};

/** Sets a fault on collecting calls, endless without a count. */
const fault = (overrides: object) =>
  zepto.control('POST', '/faults', { path: '/zepto/payment_requests', method: 'POST', holdMs: 5, ...overrides });

describe('with any answer of Zepto to a debit, it is taken once and ends as submitted', () => {
  test.each([
    ['500, its own failure', { status: 500, count: 1 }, 'submitting'],
    ['503, for a moment', { status: 503, count: 1 }, 'submitted'],
    ['503, for longer than we try', { status: 503, count: 6 }, 'submitting'],
    ['a storm of 429', { status: 429, count: 6 }, 'submitting'],
    ['401, a token that is no longer good', 401, 'submitting'],
    ['403, access withdrawn', 403, 'submitting'],
    ['nothing, and did nothing', { timeoutBeforeEffect: true, count: 2 }, 'submitting'],
    ['nothing, and took it', { timeoutAfterEffect: true, count: 2 }, 'submitting'],
  ])('%s', async (_name, overrides, meanwhile) => {
    await plan();
    if (typeof overrides === 'number') access.statuses.push(overrides);
    else await fault(overrides);
    await submitDebits(deps());
    expect(await state()).toBe(meanwhile);
    for (let tries = 0; tries < 5 && (await state()) !== 'submitted'; tries += 1) {
      await submitDebits(deps());
      await zepto.pass(3_600_000);
    }
    expect(await state()).toBe('submitted');
    expect(await zepto.taken()).toHaveLength(1);
    expect((await auditBooks(database.pool)).violations).toEqual([]);
  });

  test('nothing, and took it, and asked only after its key was forgotten', async () => {
    await plan();
    await fault({ timeoutAfterEffect: true, count: 2 });
    await submitDebits(deps());
    zepto.pass(30 * 3_600_000);
    await submitDebits(deps());
    expect(await state()).toBe('submitted');
    expect(await zepto.taken()).toHaveLength(1);
  });
});

describe('with any end of a debit, reported in any order, it is settled once', () => {
  const outcomesOf = () => listOf(zepto.directDebit.outcomesSince(new Date(0)));

  test.each([
    ['cleared, reported twice', undefined, 2, 'cleared'],
    ['returned with code 6, reported twice', 6, 2, 'returned'],
    ['returned with code 1, reported once', 1, 1, 'returned'],
  ] as const)('%s', async (_name, code, times, expected) => {
    await plan();
    if (code) {
      await zepto.control('POST', '/returns', { email: 'robin@example.com', code, of: 'debit' });
    }
    await submitDebits(deps());
    await zepto.settle();
    for (let time = 0; time < times; time += 1) await pollOutcomes(deps());
    for (const outcome of await outcomesOf()) await applyOutcome(deps(), outcome);
    expect(await state()).toBe(expected);
    expect((await auditBooks(database.pool)).violations).toEqual([]);
  });

  test('an older word that arrives after a newer one changes nothing', async () => {
    await plan();
    await submitDebits(deps());
    const pending = await outcomesOf();
    await zepto.settle();
    await pollOutcomes(deps());
    for (const outcome of pending) await applyOutcome(deps(), outcome);
    expect(await state()).toBe('cleared');
  });
});
