import { cents } from '@sparechange/domain';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation, submitDonations } from '#features/collections/donations/request-donation.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { handleNotifications, keepNotification } from '#features/collections/webhooks/handle-notifications.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { doDueWork, enqueuePass, type Work } from '#features/core/supporter-work/do-work.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { runConsents } from '#features/supporters/offboarding/run-consents.ts';
import { syncEverybody, syncPass, syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { type FakeDirectDebit, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aClub, clockSetter, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';

// Every job, done by two processes concurrently: each with connections of its own, both on one database and with one
// outside world, whose provider forgets the ids of orders immediately and takes each order every time it is sent.

const api = ownApp();
let pools: Pool[];
let directDebit: FakeDirectDebit;
let mailer: FakeMailer;
let supporters: TestSupporter[];

beforeAll(async () => {
  pools = [1, 2].map(() => api.database.open(5));
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
});
beforeEach(async () => {
  await forgetEverything(api.db);
  at('2026-11-25', '09:00');
  directDebit = fakeDirectDebit({ now: () => api.clock.now(), keyLifeMs: 0 });
  mailer = fakeMailer();
  supporters = await someSupporters();
});

const at = clockSetter(api);

/** Makes twelve supporters of a club with purchases; half save. */
async function someSupporters(): Promise<TestSupporter[]> {
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  const people: TestSupporter[] = [];
  for (let count = 0; count < 12; count += 1) {
    const overrides = { clubId, directDebit, savings: count % 2 === 0, roundsFrom: '2026-11-01' };
    const supporter = await api.supporter(overrides);
    for (const amount of [430, 125, 990])
      api.bankLink.addTransaction(supporter.bankCustomerId, { amount: cents(amount) });
    people.push(supporter);
  }
  return people;
}

/** As long as some looks into the database: enough for the other process to come to the same place. */
async function aWhile(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await api.rows`select 1`;
}

/** The provider over a network: an order is under way for a while before it arrives. */
const withLatency = (provider: FakeDirectDebit): DirectDebit => ({
  ...provider,
  submitDebits: (orders) => aWhile().then(() => provider.submitDebits(orders)),
  submitPayouts: (orders) => aWhile().then(() => provider.submitPayouts(orders)),
});

const words = () => ({ statementName: 'SPARECHANGE', graceDays: 30, renewalToken: api.renewalLinks.token });

const program = (db: Pool) => ({
  ...api,
  ...words(),
  db,
  directDebit: withLatency(directDebit),
  log: pino({ level: 'silent' }),
  mailer,
  mailFrom: 'hello@sparechange.example',
  compose: emailComposer({
    ...api,
    ...words(),
    db,
    campaignEnd: (supporter) => campaignEnd(db, api.tenants, supporter),
    isNoticeDue: async () => true,
  }),
});
type Program = ReturnType<typeof program>;

const alone = (): Program => program(api.db);

/** Runs a job in two processes concurrently, summing reports. */
async function both<Report extends object>(job: (deps: Program) => Promise<Report | undefined>, count: keyof Report) {
  const reports = await Promise.all(pools.map((pool) => job(program(pool))));
  return reports.reduce((sum, report) => sum + Number(report?.[count]), 0);
}

/** Runs a job in two processes concurrently, of which one may find the other at it. */
async function atLeastOne(job: (deps: Program) => Promise<unknown>): Promise<void> {
  const runs = await Promise.allSettled(pools.map((pool) => job(program(pool))));
  for (const run of runs) if (run.status === 'rejected') expect(run.reason).toMatchObject({ code: 'unavailable' });
  expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true);
}

const nobodyFails = (_supporterId: string, error: Error) => {
  throw error;
};
const sync = (deps: Program) => syncEverybody(deps, nobodyFails);
const consents = (deps: Program) => runConsents(deps, nobodyFails);

async function afterSync(): Promise<void> {
  await sync(alone());
}
async function afterDebits(): Promise<void> {
  await afterSync();
  await runDebits(alone());
}
async function afterSettling(): Promise<void> {
  await afterDebits();
  directDebit.clearAll();
  await pollOutcomes(alone());
}

/** The books are right, and no order was made twice. */
async function nothingTwice(orders: number): Promise<void> {
  expect((await auditBooks(api.db)).violations).toEqual([]);
  const made = directDebit.taken.map(({ id }) => id);
  expect([made.length, new Set(made).size]).toEqual([orders, orders]);
}

const mailed = async () => Number((await api.rows`select count(*) as count from mails`)[0]?.count);

test('sync records each purchase once', async () => {
  expect(await both(sync, 'roundUps')).toBe(36);
  await nothingTwice(0);
});

test('workers that share a pass sync everybody once, and twice only those that a killed one had in hand', async () => {
  await enqueuePass(api, { ...syncPass, dueAt: api.clock.now() });
  const synced: string[] = [];
  const poll = () => Promise.reject(new Error('no such work is due'));
  const worker = (db: Pool, dies: boolean) => {
    const deps = { ...program(db), callsInFlight: 2 };
    const sync: Work = async (supporterId) => {
      synced.push(supporterId);
      if (dies && synced.length > 4) return new Promise<never>(() => {}); // it was killed: nothing more comes of it
      await syncPurchases(inBucketOf(deps, supporterId), supporterId);
      return 'asked';
    };
    return doDueWork(deps, { sync, consent_poll: poll }, nobodyFails);
  };
  const [one, two] = pools as [Pool, Pool];
  void worker(one, true);
  while (synced.length < 6) await aWhile();
  await worker(two, false);
  expect(synced.length).toBeLessThanOrEqual(12);
  at('2026-11-25', '09:30');
  await worker(two, false);
  const times = Map.groupBy(synced, (id) => id);
  expect([...times.keys()].toSorted()).toEqual(supporters.map(({ supporterId }) => supporterId).toSorted());
  expect(synced.length).toBeLessThanOrEqual(12 + 4);
  expect([...times.values()].every(({ length }) => length <= 2)).toBe(true);
  expect(await api.rows`select 1 from round_ups`).toHaveLength(36);
  await nothingTwice(0);
});

test('a debit run plans and submits one debit a supporter', async () => {
  await afterSync();
  await atLeastOne(runDebits);
  expect(await runDebits(alone())).toMatchObject({ planned: 0 }); // planned by one process when the other had just looked
  await nothingTwice(12);
});

test('one-off donations are submitted once', async () => {
  for (const { supporterId } of supporters)
    await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, {
      amount: cents(25_00),
      requestId: 'gift',
    });
  expect(await both(submitDonations, 'submitted')).toBe(12);
  await nothingTwice(12);
});

test('work that a killed process left half done is finished once', async () => {
  await afterSync();
  directDebit.failNext('crash after effect');
  await expect(runDebits(alone())).rejects.toThrow('crash after effect');
  await both(submitDebits, 'submitted');
  await submitDebits(alone());
  await nothingTwice(12);
});

test('settling applies each outcome once', async () => {
  await afterDebits();
  directDebit.clearAll();
  for (const { id } of directDebit.taken.slice(0, 4)) directDebit.return(id, 6);
  const reports = await Promise.all(pools.map((pool) => pollOutcomes(program(pool))));
  expect(reports.reduce((sum, { cleared }) => sum + cleared, 0)).toBe(8);
  expect(reports.reduce((sum, { returned }) => sum + returned, 0)).toBe(4);
  expect(await mailed()).toBe(4);
  await nothingTwice(12);
});

test('each notification changes things once', async () => {
  await afterDebits();
  directDebit.clearAll();
  for (const { id, providerRef } of directDebit.taken) {
    const outcome = { providerRef, state: 'cleared', at: api.clock.now() };
    for (const pool of pools) await keepNotification(pool, 'zepto', id, [outcome], api.clock.now());
  }
  await Promise.all(pools.map((pool) => handleNotifications(program(pool), 'zepto')));
  const rows = await api.rows`select state, count(*) as count from debits group by state`;
  expect([...rows]).toEqual([{ state: 'cleared', count: 12 }]);
  expect(await pollOutcomes(alone())).toMatchObject({ cleared: 0 });
  await nothingTwice(12);
});

test('clubs are paid once', async () => {
  await afterSettling();
  at('2026-11-26', 'remit');
  await atLeastOne(remitToClubs);
  await remitToClubs(alone()); // planned by one process when the other had just looked
  expect(await remitToClubs(alone())).toMatchObject({ clubs: 0 });
  await nothingTwice(13);
});

test('money set aside is deposited once', async () => {
  await afterSettling();
  at('2026-12-01', 'savings-run');
  await atLeastOne(depositSavings);
  await depositSavings(alone()); // planned by one process when the other had just looked
  await nothingTwice(18);
});

test('who is to be reminded, who has ended and whose data are deleted is dealt with once', async () => {
  await afterSettling();
  await api.rows`update supporters set consent_expires_at = '2027-11-24T22:00:00Z'`;
  at('2027-11-20', 'consent-poll');
  expect(await both(consents, 'reminded')).toBe(12);
  at('2027-11-26', 'consent-poll');
  expect(await both(consents, 'ended')).toBe(12);
  at('2027-12-26', 'consent-poll');
  expect(await both(consents, 'deleted')).toBe(12);
  expect(await mailed()).toBe(36); // a reminder, an end and a deletion each
  expect(await api.rows`select 1 from bank_data_deletions`).toHaveLength(12);
  await nothingTwice(12);
});

test('each email is sent once', async () => {
  await afterDebits();
  for (const { id } of directDebit.taken) directDebit.return(id, 6);
  await pollOutcomes(alone());
  expect(await both(sendMails, 'sent')).toBe(12);
  await sendMails(alone());
  expect(new Set(mailer.sent.map(({ id }) => id)).size).toBe(12);
  expect(mailer.sent).toHaveLength(12);
});
