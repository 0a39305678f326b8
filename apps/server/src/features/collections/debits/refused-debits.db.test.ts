import { cents, type IsoDate, isoDate } from '@sparechange/domain';
import pino from 'pino';
import { expect, test } from 'vitest';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import {
  aMandate,
  anAccount,
  aPurchase,
  aSupporter,
  aTenant,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { watchRuns } from './detect-missed-runs.ts';
import { planDebits } from './plan-debits.ts';
import { recordCancelledMandate } from './record-cancelled-mandate.ts';
import { listRefusedRuns } from './record-refusal.ts';
import { runDebits } from './run-debits.ts';

const payments = ownPayments({ isAudited: false });
const { database, clock, directDebit } = payments;
const [wednesday, friday] = [isoDate('2026-11-25'), isoDate('2026-11-27')];
const tenants = someTenants(aTenant());

const deps = () => ({ ...payments.deps(), tenants });
const run = (date: IsoDate = wednesday) => runDebits(deps(), date);
const watch = () => watchRuns({ db: database.pool, clock, log: pino({ level: 'silent' }) });
const alarms = async () =>
  (await database.rows<{ name: string; sentence: string }[]>`select name, sentence from alarms order by name`).map(
    ({ name, sentence }) => `${name}: ${sentence}`,
  );

async function spending(): Promise<TestSupporter> {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  return supporter;
}

/** Ends a mandate at the bank or provider, without notice. */
const cancelAtBank = (at: number) => directDebit.cancelMandate(directDebit.mandates[at]?.mandateRef ?? '');

const mails = async () => {
  const rows = await database.rows<{ kind: string }[]>`
    select facts ->> 'kind' as kind from mails where recipient = 'supporter' order by queued_at`;
  return rows.map(({ kind }) => kind);
};
const accountOf = async ({ account }: TestSupporter) => {
  const [row] = await database.rows`select unusable_since, unusable_because from accounts where id = ${account.id}`;
  return row;
};
const isAudited = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);

test("provider refusals are in the run's answer, by cause, and raise an alarm", async () => {
  for (let each = 0; each < 3; each += 1) await spending();
  directDebit.failNext('refused', 'refused');
  expect(await run()).toMatchObject({ planned: 3, submitted: 1, refused: { other: 2 } });
  expect(await listRefusedRuns(database.pool, '2026-11-20')).toEqual([
    { date: wednesday, refused: 2, debits: 3, causes: { other: 2 } },
  ]);
  await watch();
  await watch();
  expect(await alarms()).toEqual([
    `debits_refused: The provider refuses debits: 2 of 3 of ${wednesday} so far (2 other).`,
  ]);
  expect(await run()).toMatchObject({ submitted: 0, refused: {} });
  await isAudited();
});

test('few refusals in a large run raise no alarm', async () => {
  await spending();
  directDebit.failNext('refused');
  await run();
  await database.rows`update debit_runs set debits = 100`;
  await watch();
  expect(await alarms()).toEqual([]);
});

test('a mandate cancelled at the bank makes the account unusable, is emailed about once and never debited again', async () => {
  const supporter = await spending();
  await cancelAtBank(0);
  expect(await run()).toMatchObject({ planned: 1, submitted: 0, refused: { mandate_cancelled: 1 } });
  expect(await accountOf(supporter)).toEqual({ unusable_since: wednesday, unusable_because: 'mandate_cancelled' });
  expect(await run(friday)).toMatchObject({ planned: 0, skipped: { 'no funding account': 1 }, refused: {} });
  expect(await mails()).toEqual(['mandate_cancelled']);
  expect([...(await database.rows`select 1 from mandates where cancelled_at is not null`)]).toHaveLength(1);
  await isAudited();
});

test('after another account is chosen, round-ups held by a cancelled mandate go with the next run', async () => {
  const supporter = await spending();
  await cancelAtBank(0);
  await run();
  await database.rows`update accounts set is_funding = false`;
  const other = await anAccount(database.pool, supporter, { isFunding: true });
  await aMandate(database.pool, supporter, other, { directDebit });
  expect(await run(friday)).toMatchObject({ planned: 1, submitted: 1, totalCents: 70 });
  await isAudited();
});

test('a mandate known to be cancelled releases its planned debits, and a donation is given up', async () => {
  const supporter = await spending();
  await planDebits(database.pool, clock, tenants, wednesday);
  const gift = { amount: cents(25_00), requestId: 'gift-1' };
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, gift);
  const [held] = await database.rows<{ id: string }[]>`select id from mandates`;
  const mandate = { supporterId: supporter.supporterId, id: held?.id ?? '' };
  const record = () =>
    database.pool.of(supporter.supporterId).begin((tx) => recordCancelledMandate(tx, clock, mandate, 'notification'));
  expect([await record(), await record()]).toEqual([true, false]);
  expect([...(await database.rows`select distinct state from debits`)]).toEqual([{ state: 'refused' }]);
  expect(await run()).toMatchObject({ planned: 0, submitted: 0 });
  expect(directDebit.taken).toEqual([]);
  expect((await mails()).toSorted()).toEqual(['donation_refused', 'mandate_cancelled']);
  await isAudited();
});

test('the end of an old mandate does not affect an account with a newer one', async () => {
  const supporter = await spending();
  await aMandate(database.pool, supporter, supporter.account, { directDebit });
  const [old] = await database.rows<{ id: string }[]>`
    select id from mandates where mandate_ref = ${directDebit.mandates[0]?.mandateRef ?? ''}`;
  const mandate = { supporterId: supporter.supporterId, id: old?.id ?? '' };
  await database.pool
    .of(supporter.supporterId)
    .begin((tx) => recordCancelledMandate(tx, clock, mandate, 'notification'));
  expect(await accountOf(supporter)).toMatchObject({ unusable_since: null });
  expect(await mails()).toEqual([]);
});

test('a provider that refuses all collections suspends debiting, and no further payer is asked', async () => {
  const supporters = [];
  for (let each = 0; each < 60; each += 1) supporters.push(await spending());
  directDebit.failNext(...Array.from({ length: 5 }, () => 'not permitted' as const));
  expect(await run()).toMatchObject({ planned: 60, submitted: 0, refused: { not_permitted: 5 } });
  expect(directDebit.taken).toEqual([]);
  const [{ finished } = { finished: true }] = await database.rows<{ finished: boolean }[]>`
    select finished_at is not null as finished from debit_runs`;
  expect(finished).toBe(false);
  await watch();
  expect(await alarms()).toEqual([
    expect.stringContaining('the provider does not let us collect (our account may not collect)'),
    `debits_refused: The provider refuses debits: 5 of 60 of ${wednesday} so far (5 not permitted).`,
  ]);
  expect(await mails()).toEqual([]);
  await expect(run()).rejects.toThrow('Debiting is suspended');
  expect(await runDebits(deps(), wednesday, { force: true })).toMatchObject({ submitted: 55, refused: {} });
  expect(await run(friday)).toMatchObject({ submitted: 5 });
  await isAudited();
});

test('the donor is notified of a donation that the provider refuses', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, {
    amount: cents(25_00),
    requestId: 'gift-1',
  });
  directDebit.failNext('refused');
  await run();
  expect(await mails()).toEqual(['donation_refused']);
  await isAudited();
});
