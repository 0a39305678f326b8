import { cents, isoDate, periodOf, unnamedAccount } from '@sparechange/domain';
import { documentPrinter } from '#documents/document-printer.ts';
import { importStatement } from '#features/accounting/bank-statements/import-statement.ts';
import { matchByHand } from '#features/accounting/bank-statements/match-by-hand.ts';
import { auditSupporters } from '#features/accounting/bookkeeping/audit-changes.ts';
import { correctLedger } from '#features/accounting/bookkeeping/correct-ledger.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { setReserve } from '#features/beneficiaries/clubs/club-repository.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { park } from '#features/core/submission/unanswered-payments.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { deleteBankData } from '#features/supporters/offboarding/delete-bank-data.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { issueReceipt } from '#features/supporters/receipts/issue-receipt.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { OwnDatabase } from './database.ts';
import { inBucketOf } from './database.ts';
import { fakeDirectDebit } from './fake-direct-debit.ts';
import { fakeTrustStatement } from './fake-trust-statement.ts';
import { fillRepayments } from './fill-repayments.ts';
import {
  aClock,
  aClub,
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  someTenants,
  type TestSupporter,
  testEncryption,
} from './makers.ts';
import { setBankDetails } from './money-day.ts';
import { aPastDebit } from './past-debit.ts';
import { paymentDeps } from './payment-deps.ts';

/** The time and the provider of the books that are being filled. */
let clock = aClock();
let directDebit = fakeDirectDebit({ now: () => clock.now() });
const tenants = someTenants(aTenant());
const [wednesday, friday] = [isoDate('2026-11-25'), isoDate('2026-11-27')];

/**
 * Books in which everything has happened: debits, donations, deposits and remittances of every kind and state, and a
 * deletion of bank data. One call a test file.
 */
export async function fillBooks(database: OwnDatabase): Promise<void> {
  clock = aClock();
  directDebit = fakeDirectDebit({ now: () => clock.now() });
  const deps = paymentDeps(database.pool, clock, directDebit);
  const supporterWith = async (prices: number[], overrides: SupporterOverrides = {}) => {
    const supporter = await aSupporter(database.pool, { ...overrides, directDebit });
    const purchases = prices.map((price) => aPurchase(supporter, { cents: price }));
    await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), purchases);
    return supporter;
  };
  const submitted = async () => {
    await submitDebits(deps);
    return directDebit.taken.at(-1)?.id ?? '';
  };
  const donation = async (requestId: string) => {
    const { supporterId } = await supporterWith([]);
    await requestDonation(database.pool.of(supporterId), clock, tenants, supporterId, {
      amount: cents(25_00),
      requestId,
    });
  };
  const debit = async (overrides?: SupporterOverrides) => {
    await supporterWith([430, 125], overrides);
    await planDebits(database.pool, clock, tenants, wednesday);
    return submitted();
  };
  const past = await supporterWith([]);
  for (const day of ['2026-05-07', '2026-10-07']) await aPastDebit(database.pool, past, { day, kind: 'donation' });
  const [clearing, reversing, returning, saving] = [
    await debit(),
    await debit({ savings: true }),
    await debit(),
    await debit({ savings: true }),
  ];
  directDebit.failNext('refused');
  await donation('refused');
  await submitDebits(deps);
  await donation('cleared');
  const gift = await submitted();
  await donation('returned');
  const lost = await submitted();
  for (const id of [clearing, reversing, saving, gift]) directDebit.clear(id);
  for (const id of [returning, lost]) directDebit.return(id, 6);
  await pollOutcomes(deps);
  directDebit.return(reversing, 2);
  await pollOutcomes(deps);
  const forgotten = await supporterWith([430]);
  await planDebits(database.pool, clock, tenants, wednesday);
  directDebit.clear(await submitted());
  await pollOutcomes(deps);
  await recordRoundUps(database.pool.of(forgotten.supporterId), clock.now(), [aPurchase(forgotten, { cents: 125 })]);
  await database.rows`
    update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-11-25'
    where supporter_id = ${forgotten.supporterId}`;
  await deleteBankData(inBucketOf(deps, forgotten.supporterId), forgotten.supporterId, 'timetable');
  await refunds(database);
  await waits(database, supporterWith);
  await remittances(database, debit);
  await deposits(database, debit);
  await fillRepayments(database, clock, directDebit);
  const printer = documentPrinter({ readLogo: async () => undefined });
  for (const kind of ['month', 'year'] as const) {
    const period = periodOf(kind, isoDate('2026-05-07'));
    await issueReceipt({ db: database.pool.of(past.supporterId), clock, tenants, printer }, past.supporterId, period);
  }
  await database.rows`update accounts set is_funding = false where supporter_id = ${past.supporterId}`;
  await database.rows`update supporters set closed_on = '2026-11-25' where supporter_id = ${past.supporterId}`;
  await supporterWith([101, 101, 101, 101, 101, 101, 101, 101, 101], { weeklyLimit: 750 });
  await planDebits(database.pool, clock, tenants, friday);
  await submitDebits(deps);
  const unanswered = await supporterWith([430]);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-30'));
  await parks(database, unanswered);
  await endsCampaign(database, supporterWith);
  await supporterWith([430]);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-30'));
  await statement(database);
  await identityUsers(database);
  // Before all days but those of the past debits.
  await auditSupporters(database.pool, null, { closeUntil: isoDate('2026-11-14') });
}

/** Gives every open account a sign-in with its address. */
async function identityUsers({ rows }: OwnDatabase): Promise<void> {
  await rows`
    insert into identity.users (uid, email, password_hash, valid_since)
    select uid, email, '-', 0 from supporters where closed_on is null`;
}

/** A statement of the trust account that the books explain, but for two lines; one of these is explained by hand. */
async function statement({ pool }: OwnDatabase): Promise<void> {
  clock.setTo('2026-12-03T22:00:00Z');
  const deps = { db: pool, clock, directDebit };
  await closeAndRollUp(pool, isoDate('2026-12-02'));
  await reconcilePayments(deps);
  const unexplained = ['2026-11-25,-12.00,ACCOUNT FEE,F1', '2026-11-26,5.00,WHO KNOWS,F2', ''].join('\n');
  await importStatement({ ...deps, encryption: testEncryption }, fakeTrustStatement(directDebit.taken) + unexplained);
  const fee = {
    account: unnamedAccount,
    lineId: 'F1',
    to: 'fees',
    reason: 'the bank charges for the account',
  } as const;
  if ((await matchByHand({ ...deps, by: { kind: 'operating_system', id: 'robin' } }, fee)) !== 'matched')
    throw new Error('the fee of the account is no line of the statement');
}

/** Ends a supporter's campaign with round-ups no debit takes. */
async function endsCampaign(
  database: OwnDatabase,
  supporterWith: (prices: number[]) => Promise<TestSupporter>,
): Promise<void> {
  const { supporterId } = await supporterWith([430]);
  await database.rows`update supporters set tenant_key = 'ended' where supporter_id = ${supporterId}`;
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-30'));
}

/** Parks a debit that was never answered. */
async function parks({ pool, rows }: OwnDatabase, { supporterId }: TestSupporter): Promise<void> {
  directDebit.failNext('time-out before effect');
  await submitDebits(paymentDeps(pool, clock, directDebit));
  directDebit.forgetFaults();
  const [debit] = await rows<{ id: string }[]>`select id from debits where supporter_id = ${supporterId}`;
  await park(pool.of(supporterId), 'debits', { id: debit?.id ?? '', supporterId }, clock.now());
}

/** Makes a refund already taken off and one still waiting. */
async function refunds({ pool }: OwnDatabase): Promise<void> {
  const supporter = await aSupporter(pool, { directDebit });
  const bucket = pool.of(supporter.supporterId);
  const purchases = [430, 120].map((price) => aPurchase(supporter, { cents: price }));
  await recordRoundUps(bucket, clock.now(), purchases);
  const [coffee, paper] = purchases.map((purchase) => aPurchaseRefund(purchase));
  if (coffee) await recordPurchaseRefunds(bucket, clock.now(), supporter.supporterId, [coffee]);
  await planDebits(pool, clock, tenants, wednesday);
  if (paper) await recordPurchaseRefunds(bucket, clock.now(), supporter.supporterId, [paper]);
}

/** A debit that waited three runs and was dropped, with a part that came later and still waits. */
async function waits(
  database: OwnDatabase,
  supporterWith: (prices: number[], overrides?: SupporterOverrides) => Promise<TestSupporter>,
): Promise<void> {
  const bankLink = { balanceOf: async () => cents(10_00) };
  const deps = { db: database.pool, clock, tenants, directDebit, bankLink, statementName: 'SPARECHANGE' };
  const poor = await supporterWith([430], { floor: 50_00 });
  for (const [at, run] of ['2026-11-16', '2026-11-18', '2026-11-20'].entries()) {
    if (at === 1)
      await recordRoundUps(database.pool.of(poor.supporterId), clock.now(), [aPurchase(poor, { cents: 125 })]);
    await planDebits(database.pool, clock, tenants, isoDate(run));
    await submitDebits(deps);
  }
  await database.rows`update supporters set consent_active = false where supporter_id = ${poor.supporterId}`;
}

/** Makes deposits of every state; one's debit is reversed later. */
async function deposits(
  database: OwnDatabase,
  debit: (overrides: SupporterOverrides) => Promise<string>,
): Promise<void> {
  const deps = paymentDeps(database.pool, clock, directDebit);
  const debits: string[] = [];
  for (let count = 0; count < 5; count += 1) debits.push(await debit({ savings: true }));
  for (const id of debits) directDebit.clear(id);
  await pollOutcomes(deps);
  clock.setTo('2026-11-30T23:30:00Z');
  directDebit.failNext('refused');
  await database.rows`update savings_accounts set receives_from = '2026-11-30'`; // changed, some days before
  await depositSavings(deps);
  const [arrived, reversed, lost, recovered] = directDebit.taken
    .filter(({ reference }) => reference.startsWith('SV'))
    .map(({ id }) => id);
  for (const id of [arrived, reversed, recovered]) directDebit.clear(id ?? '');
  directDebit.return(lost ?? '', 5);
  await pollOutcomes(deps);
  directDebit.return(reversed ?? '', 5);
  const [source] = await database.rows<{ id: string }[]>`
    select debit.id from deposits deposit join debits debit using (supporter_id) where deposit.id = ${recovered ?? ''}`;
  directDebit.return(source?.id ?? '', 2);
  await pollOutcomes(deps);
  clock.setTo('2026-11-24T22:00:00Z');
}

/** Remittances of every state, a failed one that is paid again, a reserve, a correction, and a club below zero. */
async function remittances(
  database: OwnDatabase,
  debit: (overrides: SupporterOverrides) => Promise<string>,
): Promise<void> {
  const deps = paymentDeps(database.pool, clock, directDebit);
  const clubs: string[] = [];
  const cleared: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const clubId = await aClub(database.pool);
    await setBankDetails(database.pool, clubId, '12345678');
    clubs.push(clubId);
    cleared.push(await debit({ clubId }));
  }
  for (const id of cleared) directDebit.clear(id);
  await pollOutcomes(deps);
  clock.setTo('2026-11-25T22:00:00Z');
  directDebit.failNext('refused');
  await remitToClubs(deps);
  const paid = directDebit.taken.filter(({ reference }) => reference.startsWith('CL')).map(({ id }) => id);
  for (const id of paid.slice(0, 2)) directDebit.clear(id);
  directDebit.return(paid[2] ?? '', 5);
  await pollOutcomes(deps);
  directDebit.return(paid[0] ?? '', 5);
  for (const id of cleared) directDebit.return(id, 2);
  await pollOutcomes(deps);
  let last = '';
  for (const clubId of clubs.slice(0, 4)) {
    await setBankDetails(database.pool, clubId, '99990000');
    last = await debit({ clubId });
    for (const id of [await debit({ clubId }), last]) directDebit.clear(id);
  }
  await pollOutcomes(deps);
  const correction = { id: 'correction', amount: cents(7), reason: 'paid to another club by mistake' };
  const [clubId = ''] = clubs;
  await correctLedger(deps, { ...correction, debit: 'suspense', credit: 'owed_to_clubs', clubId });
  await setReserve(database.pool, clubId, cents(10));
  clock.setTo('2026-11-26T22:00:00Z');
  await remitToClubs(deps);
  directDebit.return(last, 2); // its club was paid more than the bank let stand
  await pollOutcomes(deps);
}
