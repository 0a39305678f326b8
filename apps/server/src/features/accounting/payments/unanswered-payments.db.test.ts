import { cents, isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation, submitDonations } from '#features/collections/donations/request-donation.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import {
  aClub,
  aPurchase,
  aSupporter,
  aTenant,
  clockSetter,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { resubmitPayments } from './decide-payment.ts';
import { listParked, watchParked } from './parked-payments.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
const tenants = someTenants(aTenant());
beforeEach(() => {
  at('2026-11-23', 'debit-run');
});

const at = clockSetter({ clock });
const minutesPass = (minutes: number) => clock.setTo(new Date(clock.now().getTime() + minutes * 60_000).toISOString());

/** Resubmits unanswered payments every ten minutes for some hours. */
async function resubmitFor(hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 10) {
    minutesPass(10);
    await resubmitPayments(deps());
  }
}

const mandateOf = (place: number) => directDebit.mandates[place]?.mandateRef ?? '';

/** The payments of a table by state. */
async function states(table: 'debits' | 'deposits' | 'remittances'): Promise<Record<string, number>> {
  const rows = await database.rows<{ state: string; count: number }[]>`
    select state::text, count(*)::int as count from ${database.pool(table)} group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

test('a debit that is never answered does not hold up others over three runs, and is parked after a day', async () => {
  const people: TestSupporter[] = [];
  for (let count = 0; count < 201; count += 1) people.push(await aSupporter(database.pool, { directDebit }));
  directDebit.neverAnswer((order) => 'mandateRef' in order && order.mandateRef === mandateOf(77));
  let expected = 0;
  for (const day of ['2026-11-23', '2026-11-25', '2026-11-27']) {
    at(day, 'debit-run');
    for (const person of people)
      await recordRoundUps(database.pool.of(person.supporterId), clock.now(), [aPurchase(person, { day, cents: 455 })]);
    await planDebits(database.pool, clock, tenants, isoDate(day));
    expected += 200;
    expect(await submitDebits(deps())).toMatchObject({ submitted: 200, unknown: expected / 200 });
    expect(directDebit.taken).toHaveLength(expected);
  }
  const unanswered = await database.rows`
    select attempts, parked_at from debits where state = 'submitting' order by run_date`;
  expect(unanswered).toMatchObject([{ parked_at: null }, { parked_at: null }, { parked_at: null }]);
  await resubmitFor(30);
  expect(await states('debits')).toEqual({ submitted: 600, submitting: 3 });
  expect(await listParked(database.pool, 10)).toHaveLength(3);
});

test('a parked debit is not resubmitted, and raises one alarm', async () => {
  const one = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(one.supporterId), clock.now(), [
    aPurchase(one, { day: '2026-11-23', cents: 455 }),
  ]);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-23'));
  directDebit.neverAnswer(() => true);
  await submitDebits(deps());
  await resubmitFor(23);
  expect(await listParked(database.pool, 10)).toEqual([]);
  await resubmitFor(3);
  const [parked] = await listParked(database.pool, 10);
  expect(parked).toMatchObject({ kind: 'debit', amount: 45, lastAnswer: 'the provider answers 500' });
  expect(parked?.attempts).toBeGreaterThan(20);
  await resubmitFor(3);
  expect(await listParked(database.pool, 10)).toEqual([parked]);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  for (let watch = 0; watch < 2; watch += 1) await watchParked({ ...deps(), log });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`ops -- payment show ${parked?.reference}`);
});

test('a donation that is never answered does not hold up others', async () => {
  for (let count = 0; count < 20; count += 1) {
    const supporter = await aSupporter(database.pool, { directDebit });
    const gift = { amount: cents(25_00), requestId: 'gift' };
    await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, gift);
  }
  directDebit.neverAnswer((order) => 'mandateRef' in order && order.mandateRef === mandateOf(3));
  expect(await submitDonations({ ...deps(), tenants })).toMatchObject({ submitted: 19, unknown: 1 });
  await resubmitFor(26);
  expect(await listParked(database.pool, 10)).toMatchObject([{ kind: 'donation', amount: 25_00 }]);
});

test('a remittance that is never answered does not hold up other clubs over three runs', async () => {
  const clubs: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const clubId = await aClub(database.pool);
    clubs.push(clubId);
    await setBankDetails(database.pool, clubId, `1234500${String(count).padStart(2, '0')}`);
  }
  directDebit.neverAnswer((order) => 'accountNumber' in order && order.accountNumber === '123450004');
  for (const [run, [cleared, remitted]] of (
    [
      ['2026-11-23', '2026-11-24'],
      ['2026-11-25', '2026-11-26'],
      ['2026-11-27', '2026-11-30'],
    ] as const
  ).entries()) {
    at(cleared, '07:00');
    for (const clubId of clubs) {
      await aClearedDebit(deps(), await aSupporter(database.pool, { clubId, directDebit }), 45);
    }
    at(remitted, '07:00');
    expect(await remitToClubs(deps())).toMatchObject({ clubs: 11 });
    expect(await states('remittances')).toEqual({ submitted: (run + 1) * 11, submitting: run + 1 });
  }
  await resubmitFor(26);
  expect(await listParked(database.pool, 10)).toMatchObject(Array(3).fill({ kind: 'remittance', amount: 45 }));
});

test('a deposit that is never answered does not hold up other savers over three runs', async () => {
  const savers: TestSupporter[] = [];
  for (let count = 0; count < 12; count += 1)
    savers.push(await aSupporter(database.pool, { savings: true, directDebit }));
  const [poison] = await database.rows<
    { email: string }[]
  >`select email from supporters order by supporter_id offset 5 limit 1`;
  directDebit.neverAnswer((order) => 'email' in order && order.email === poison?.email);
  let expected = 0;
  for (const [cleared, deposited] of [
    ['2026-11-23', '2026-12-01'],
    ['2026-12-07', '2027-01-04'],
    ['2027-01-11', '2027-02-01'],
  ] as const) {
    at(cleared, '07:00');
    for (const saver of savers) await aClearedDebit(deps(), saver, 90);
    at(deposited, '09:00');
    expected += 11;
    expect(await depositSavings(deps())).toMatchObject({ deposits: 11 });
    expect((await states('deposits')).submitted).toBe(expected);
  }
  await resubmitFor(26);
  expect(await listParked(database.pool, 10)).toMatchObject(Array(3).fill({ kind: 'deposit', amount: 45 }));
});

test('an unanswered debit is under way: the next one does not take its round-ups, and leaving does not drop it', async () => {
  const person = await aSupporter(database.pool, { directDebit });
  const db = database.pool.of(person.supporterId);
  const buys = (price: number) => recordRoundUps(db, clock.now(), [aPurchase(person, { cents: price })]);
  await buys(430);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-23'));
  const next = async () => (await userRecord({ db, clock, tenants }, person.supporterId)).nextDebit?.amountCents;
  expect(await next()).toBe(70);
  directDebit.neverAnswer(() => true);
  await submitDebits(deps());
  await buys(455);
  expect(await next()).toBe(45);
  expect(await getPendingPayments(db, person.supporterId)).toMatchObject({
    debits: { count: 1, cents: 70 },
    waitingCents: 45,
  });
  const ended = someTenants(aTenant({ endsOn: '2026-11-23' }));
  expect(await userRecord({ db, clock, tenants: ended }, person.supporterId)).toMatchObject({
    campaignEnded: { droppedCents: 45 },
  });
});
