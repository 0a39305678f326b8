import { isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeBankLink } from '#testing/fake-bank-link.ts';
import { type FakeDirectDebit, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aPurchase, aSupporter, aTenant, silentLog, someTenants } from '#testing/makers.ts';
import { aClearedDebit } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { overdueBefore, watchOverdue } from './overdue-payments.ts';
import { pollOutcomes } from './poll-outcomes.ts';

const database = emptiedDatabase();
const clock = aClock();
const asked: Date[] = [];
let fake: FakeDirectDebit;
beforeEach(() => {
  clock.setTo('2026-11-24T22:00:00Z');
  asked.length = 0;
  fake = fakeDirectDebit({ now: () => clock.now() });
});
const deps = () => ({
  db: database.pool,
  clock,
  log: silentLog,
  directDebit: {
    ...fake,
    outcomesSince: (since: Date) => {
      asked.push(since);
      return fake.outcomesSince(since);
    },
  },
  bankLink: fakeBankLink(),
  tenants: someTenants(aTenant()),
  statementName: 'SPARECHANGE',
});

/** Submits a debit on Wednesday 25 November that stays open. */
async function anOpenDebit(): Promise<void> {
  const supporter = await aSupporter(database.pool, { directDebit: fake });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter, { cents: 455 })]);
  await planDebits(database.pool, clock, someTenants(aTenant()), isoDate('2026-11-25'));
  await submitDebits(deps());
  await pollOutcomes(deps());
}

test('five banking days before a Wednesday is the Wednesday before; weekends and holidays do not count', () => {
  expect(overdueBefore(aClock('2026-12-02T01:00:00Z')).toISOString()).toBe('2026-11-24T13:00:00.000Z');
  expect(overdueBefore(aClock('2027-01-04T01:00:00Z')).toISOString()).toBe('2026-12-22T13:00:00.000Z');
});

test('a debit that stays open is alarmed once after five banking days, and makes no poll longer', async () => {
  await anOpenDebit();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  clock.setTo('2026-12-01T22:00:00Z');
  await watchOverdue({ ...deps(), log });
  expect(lines).toEqual([]);
  for (const day of ['2026-12-02T22:00:00Z', '2026-12-30T22:00:00Z']) {
    clock.setTo(day);
    await pollOutcomes(deps());
    await watchOverdue({ ...deps(), log });
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('has no outcome after 5 banking days');
  clock.setTo('2026-12-31T22:00:00Z');
  await pollOutcomes(deps());
  expect(asked.at(-1)?.toISOString()).toBe('2026-12-27T22:00:00.000Z');
});

test("an outcome beyond the poll's window is found by asking for the debit itself", async () => {
  await anOpenDebit();
  clock.setTo('2026-11-26T22:00:00Z');
  fake.clearAll();
  await database.rows`update poll_cursors set read_until = '2026-12-10T00:00:00Z'`;
  clock.setTo('2026-12-10T22:00:00Z');
  expect(await pollOutcomes(deps())).toEqual({ cleared: 1, returned: 0, pending: 0 });
  expect(await pollOutcomes(deps())).toEqual({ cleared: 0, returned: 0, pending: 0 });
});

test('a savings deposit without an outcome raises an alarm and is requested as well', async () => {
  const supporter = await aSupporter(database.pool, { directDebit: fake, savings: true });
  await aClearedDebit({ ...deps(), directDebit: fake }, supporter, 91);
  clock.setTo('2026-11-30T23:30:00Z');
  const payoutDeps = { ...paymentDeps(database.pool, clock, fake), mailFrom: 'us@example.com' };
  expect(await depositSavings(payoutDeps)).toMatchObject({ deposits: 1 });
  clock.setTo('2026-12-09T22:00:00Z');
  await watchOverdue({ ...deps(), log: silentLog });
  const [alarm] = await database.rows<{ name: string; sentence: string }[]>`select name, sentence from alarms`;
  expect(alarm).toMatchObject({ name: 'payout_overdue', sentence: expect.stringContaining('The savings deposit SV') });
  clock.setTo('2026-12-02T22:00:00Z');
  fake.clear(fake.taken.find(({ kind }) => kind === 'payout')?.id ?? '');
  clock.setTo('2026-12-09T22:00:00Z');
  await database.rows`update poll_cursors set read_until = ${clock.now()}`;
  expect(await pollOutcomes(deps())).toMatchObject({ cleared: 1 });
});
