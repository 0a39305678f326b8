import { cents } from '@sparechange/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { aConsentLifecycle, type ConsentLifecycle } from '#features/supporters/consents/testing/consent-lifecycle.ts';
import { today } from '#ports/clock.ts';
import { inBucketOf } from '#testing/database.ts';
import { aMandate, anAccount, cleared, returned, type TestSupporter } from '#testing/makers.ts';
import { type Deletion, deleteBankData } from './delete-bank-data.ts';
import { runConsents } from './run-consents.ts';

let world: ConsentLifecycle;
beforeAll(async () => {
  world = await aConsentLifecycle();
});
afterAll(() => world.database.drop());
beforeEach(() => world.goToDay(0));
afterEach(async () => expect((await auditBooks(world.db)).violations).toEqual([]));

const refresh = ({ supporterId }: TestSupporter) =>
  refreshConsent(world.db.of(supporterId), world.clock, world.bankLink, supporterId);
const withdraw = async (supporter: TestSupporter) => {
  world.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  await refresh(supporter);
};
const remove = ({ supporterId }: TestSupporter): Promise<Deletion> =>
  deleteBankData(inBucketOf(world, supporterId), supporterId, 'timetable');
const reportOutcome = (debit: string, code?: 6) => {
  const { providerRef } = world.directDebit.takenOf(debit).at(-1) ?? { providerRef: '' };
  return applyOutcome(world, code ? returned(providerRef, code) : cleared(providerRef));
};
const left = async ({ supporterId }: TestSupporter) => {
  const [row] = await world.rows`
    select (select count(*) from accounts where supporter_id = ${supporterId}) as accounts,
      (select count(*) from round_ups where supporter_id = ${supporterId}) as purchases,
      (select coalesce(sum(cents), 0)::bigint from ledger_balances where supporter_id = ${supporterId} and account = 'pledged') as pledged,
      (select count(*) from mandates where supporter_id = ${supporterId} and cancelled_at is null) as mandates`;
  return row;
};
const nothing = { accounts: 0, purchases: 0, pledged: 0, mandates: 0 };
const states = async ({ supporterId }: TestSupporter) => {
  const rows = await world.rows`
    select kind, amount_cents as cents, state from debits where supporter_id = ${supporterId} order by run_date, kind, attempt`;
  return rows.map(({ kind, cents: amount, state }) => `${kind} ${amount} ${state}`);
};
/** Consents again, shows the account again and chooses it. */
async function comeBack(supporter: TestSupporter): Promise<void> {
  world.bankLink.connect(supporter.bankCustomerId);
  await refresh(supporter);
  const account = await anAccount(world.db, supporter, {
    isFunding: true,
    providerAccountId: supporter.account.providerAccountId,
  });
  await aMandate(world.db, supporter, account, { directDebit: world.directDebit });
}

test('accounts and purchases go, debits stay, and uncollected amounts are dropped with a record', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await reportOutcome(await world.debits(supporter));
  await world.buys(supporter, 30);
  await withdraw(supporter);
  expect(await remove(supporter)).toEqual({ result: 'deleted', accounts: 1, roundUps: 2, droppedCents: 30 });
  expect(await left(supporter)).toEqual(nothing);
  expect(await states(supporter)).toEqual(['round-up 70 cleared']);
  const [record] = await world.rows`
    select deleted_on, reason, asked_by, consent_ended_on, accounts, round_ups, through_seq, counted_cents, debited_cents, dropped_cents,
      uuid_extract_version(id) as version
    from bank_data_deletions where supporter_id = ${supporter.supporterId}`;
  expect(record).toEqual({
    version: 7,
    deleted_on: '2026-11-25',
    reason: 'withdrawn',
    asked_by: 'timetable',
    consent_ended_on: '2026-11-25',
    accounts: 1,
    round_ups: 2,
    through_seq: 2,
    counted_cents: 100,
    debited_cents: 70,
    dropped_cents: 30,
  });
  expect(await remove(supporter)).toEqual({ result: 'nothing to delete' });
});

test('the deletion waits for open debits', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  const debit = await world.debits(supporter);
  await withdraw(supporter);
  expect(await remove(supporter)).toEqual({ result: 'debits under way', debits: 1, totalCents: 70 });
  expect(await left(supporter)).toMatchObject({ accounts: 1, purchases: 1, mandates: 1 });
  await reportOutcome(debit);
  expect(await remove(supporter)).toMatchObject({ result: 'deleted', droppedCents: 0 });
});

test('the deletion waits for a refund under way: it goes to the debited account', async () => {
  const supporter = await world.supporter();
  const { supporterId } = supporter;
  await world.buys(supporter, 70);
  const debitId = await world.debits(supporter);
  await reportOutcome(debitId);
  await planRepayment(inBucketOf(world, supporterId), { supporterId, debitId, reason: 'a wrong debit' });
  await withdraw(supporter);
  expect(await remove(supporter)).toEqual({ result: 'refunds under way', refunds: 1, totalCents: 70 });
  expect(await getPendingPayments(world.db.of(supporterId), supporterId)).toMatchObject({
    refunds: { count: 1, cents: 70 },
  });
  await submitPayouts({ ...world, statementName: 'SPARECHANGE', mailFrom: 'test@example.com' }, repaymentKind);
  const [refund] = await world.rows<{ state: string; ref: string }[]>`
    select state, provider_ref as ref from repayments where supporter_id = ${supporterId}`;
  expect(refund?.state).toBe('submitted');
  expect(await remove(supporter)).toMatchObject({ result: 'refunds under way' });
  await applyOutcome(world, cleared(refund?.ref ?? ''));
  expect(await remove(supporter)).toMatchObject({ result: 'deleted' });
});

test('a returned debit is not re-presented', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  const debit = await world.debits(supporter);
  await withdraw(supporter);
  await reportOutcome(debit, 6);
  expect(await remove(supporter)).toMatchObject({ result: 'deleted', droppedCents: 70 });
  world.goToDay(2);
  await comeBack(supporter);
  await world.debits(supporter);
  expect(await states(supporter)).toEqual(['round-up 70 returned']);
});

test('a planned payment not yet submitted never is, including donations', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await reportOutcome(await world.debits(supporter), 6);
  world.goToDay(2);
  await world.buys(supporter, 20);
  await planDebits(world.db, world.clock, world.tenants, today(world.clock));
  const gift = { amount: cents(25_00), requestId: 'one' };
  await requestDonation(world.db.of(supporter.supporterId), world.clock, world.tenants, supporter.supporterId, gift);
  await withdraw(supporter);
  expect(await remove(supporter)).toMatchObject({ result: 'deleted', droppedCents: 90 });
  expect(await states(supporter)).toEqual(['round-up 70 returned', 'donation 2500 refused', 'round-up 90 refused']);
  expect(await left(supporter)).toEqual(nothing);
});

test('while a consent is active nothing is deleted', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  expect(await remove(supporter)).toEqual({ result: 'in use' });
  expect(await left(supporter)).toMatchObject({ accounts: 1, purchases: 1, mandates: 1 });
});

test('a consent given again just before the deletion keeps the authority to debit', async () => {
  const supporter = await world.supporter();
  const bucket = world.db.of(supporter.supporterId);
  await withdraw(supporter);
  const deletion = await bucket.begin(async (tx) => {
    await lockAgainstPlanning(tx);
    const begun = remove(supporter);
    const waiting = () => bucket`
      select from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()`;
    await expect.poll(waiting).toHaveLength(1);
    world.bankLink.connect(supporter.bankCustomerId);
    await refresh(supporter);
    return { begun };
  });
  expect(await deletion.begun).toEqual({ result: 'in use' });
  expect(await left(supporter)).toMatchObject({ accounts: 1, mandates: 1 });
});

test('an unresponsive provider does not delay the deletion, and the daily run cancels the authority there', async () => {
  const supporter = await world.supporter();
  await withdraw(supporter);
  world.directDebit.setUnreachable(true);
  await expect(remove(supporter)).rejects.toThrow();
  world.directDebit.setUnreachable(false);
  expect(await left(supporter)).toMatchObject({ accounts: 0, mandates: 1 });
  await runConsents(world, () => {});
  expect(await left(supporter)).toEqual(nothing);
});

test('a returning supporter starts from scratch: old purchases never count twice, new ones are debited and audited', async () => {
  const supporter = await world.supporter();
  for (const [day, spare] of [
    [0, 70],
    [2, 30],
  ] as const) {
    world.goToDay(day);
    await world.buys(supporter, spare);
    await reportOutcome(await world.debits(supporter));
    await world.buys(supporter, 11);
  }
  await withdraw(supporter);
  await remove(supporter);
  await comeBack(supporter);
  await world.buys(supporter, 50); // of the same day: it may have been counted before
  expect(await left(supporter)).toMatchObject({ purchases: 0 });
  world.goToDay(5);
  await world.buys(supporter, 40);
  expect(await states(supporter)).toEqual(['round-up 70 cleared', 'round-up 41 cleared']);
  await reportOutcome(await world.debits(supporter));
  expect(await states(supporter)).toEqual(['round-up 70 cleared', 'round-up 41 cleared', 'round-up 40 cleared']);
  const [row] = await world.rows`select seq from round_ups where supporter_id = ${supporter.supporterId}`;
  expect(row).toEqual({ seq: 5 });
  await withdraw(supporter);
  expect(await remove(supporter)).toMatchObject({ result: 'deleted', roundUps: 1, droppedCents: 0 });
});

test('a debit reversed long after the deletion is still booked', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  const debit = await world.debits(supporter);
  await reportOutcome(debit);
  await withdraw(supporter);
  await remove(supporter);
  await reportOutcome(debit, 6);
  expect(await states(supporter)).toEqual(['round-up 70 reversed']);
});

test('several processes delete once', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await withdraw(supporter);
  const results = await Promise.all([remove(supporter), remove(supporter), remove(supporter)]);
  expect(results.map(({ result }) => result).toSorted()).toEqual(['deleted', 'nothing to delete', 'nothing to delete']);
});

test('no trace of the account or a purchase is left except in the record of the agreement', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await withdraw(supporter);
  const tables = await world.rows<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = current_schema and column_name = 'supporter_id'`;
  const tracesIn = async () => {
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await world.rows<{ text: string }[]>`
        select t::text as text from ${world.db(name)} t where supporter_id = ${supporter.supporterId}`;
      if (rows.some(({ text }) => /COFFEE|Everyday|bank-account-/.test(text))) found.push(name);
    }
    return found.toSorted();
  };
  expect(await tracesIn()).toEqual(['accounts', 'round_ups']);
  await remove(supporter);
  expect(await tracesIn()).toEqual([]);
});
