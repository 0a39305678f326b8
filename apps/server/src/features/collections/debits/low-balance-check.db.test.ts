import { type BalanceFloor, cents, type IsoDate, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test, vi } from 'vitest';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { listHistory } from '#features/collections/history/history-repository.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aPurchase, forgetEverything, returned, type TestSupporter } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';
import { runDebits, runDueDebits } from './run-debits.ts';
import { submitDebits } from './submit-debits.ts';

const api = ownApp();
let supporter: TestSupporter;

const days = ['2026-11-25', '2026-11-27', '2026-11-30', '2026-12-02', '2026-12-04'].map(isoDate) as [
  IsoDate,
  IsoDate,
  IsoDate,
  IsoDate,
  IsoDate,
];
const [first, second, third, fourth, fifth] = days;
async function begin(floor: BalanceFloor = 50_00) {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T00:00:00Z');
  supporter = await api.supporter({ floor });
}
beforeEach(() => begin());

const buy = (price: number, day = '2026-11-23') =>
  recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter, { cents: price, day })]);
const has = (balance: number | undefined) =>
  api.bankLink.setBalance(supporter.bankCustomerId, balance === undefined ? undefined : cents(balance));
const run = (date: IsoDate) => {
  api.clock.setTo(`${date}T00:00:00Z`);
  return runDebits(api, date);
};
const history = async () =>
  (await listHistory(api.db.of(supporter.supporterId), supporter.supporterId)).map(
    ({ countedCents, state }) => `${countedCents} ${state}`,
  );
const pledged = async () => {
  const [row] = await api.rows`
    select cents from ledger_balances where supporter_id = ${supporter.supporterId} and account = 'pledged'`;
  return row?.cents;
};
const soundBooks = async () => expect((await auditBooks(api.db)).violations).toEqual([]);

test('with enough in the account a debit goes', async () => {
  await buy(430);
  has(50_00);
  expect(await run(first)).toMatchObject({ planned: 1, submitted: 1, skipped: {} });
  await soundBooks();
});

test.each([
  [49_99, 'below floor'],
  [69, 'below debit'],
  [-1, 'below debit'],
] as const)(
  'with %i cents in the account a debit waits (%s) and goes with the next run, together with later round-ups',
  async (balance, why) => {
    await buy(430);
    has(balance);
    expect(await run(first)).toMatchObject({ planned: 1, submitted: 0, skipped: { [why]: 1 } });
    expect(await history()).toEqual(['70 waiting']);
    await soundBooks();
    await buy(420, '2026-11-26');
    has(80_00);
    expect(await run(second)).toMatchObject({ submitted: 1, totalCents: 150 });
    expect(await history()).toEqual(['80 submitted', '70 submitted']);
    await soundBooks();
  },
);

test('a debit that cannot be deferred stays planned, and the run is not finished before it is', async () => {
  await buy(430);
  has(0);
  const rich = await api.supporter({ floor: 50_00 });
  api.bankLink.setBalance(rich.bankCustomerId, cents(1_000_00));
  await recordRoundUps(api.db.of(rich.supporterId), api.clock.now(), [aPurchase(rich, { cents: 420 })]);
  const { supporterId } = supporter;
  const deferral = `new.state = 'deferred' and new.supporter_id = '${supporterId}'`;
  await whileRefused(api.db.of(supporterId), 'update on debits', deferral, () =>
    expect(run(first)).rejects.toThrow('refused'),
  );
  const states = async () => {
    const rows = await api.rows<{ state: string }[]>`select state from debits order by state`;
    return rows.map(({ state }) => state);
  };
  expect(await states()).toEqual(['planned', 'submitted']);
  expect(await run(first)).toMatchObject({ submitted: 0, skipped: { 'below debit': 1 } });
  expect(await states()).toEqual(['submitted', 'deferred']);
});

test('running the same day again changes nothing: the debit waits for the next run', async () => {
  await buy(430);
  has(0);
  await run(first);
  has(1_000_00);
  expect(await run(first)).toMatchObject({ planned: 0, submitted: 0 });
  expect(await history()).toEqual(['70 waiting']);
});

test('an amount that has waited three runs is dropped, without later amounts', async () => {
  has(10_00);
  await buy(430);
  await run(first);
  await buy(420, '2026-11-26');
  await run(second);
  await buy(410, '2026-11-28');
  expect(await pledged()).toBe(240);
  await run(third);
  expect(await history()).toEqual(['90 waiting', '80 waiting', '70 dropped']);
  expect(await pledged()).toBe(170);
  await soundBooks();
  await run(fourth);
  expect(await history()).toEqual(['90 waiting', '80 dropped', '70 dropped']);
  await soundBooks();
  has(1_000_00);
  expect(await run(fifth)).toMatchObject({ submitted: 1, totalCents: 90 });
  expect(await pledged()).toBe(0);
  await soundBooks();
});

test('a returned debit waits for a balance and is dropped like any other', async () => {
  await buy(430);
  has(1_000_00);
  await run(first);
  await applyOutcome(api, returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 6));
  has(0);
  for (const day of [second, third, fourth]) await run(day);
  expect(await history()).toEqual(['70 dropped']);
  expect(await pledged()).toBe(0);
  await soundBooks();
});

test('a wait between two returns with code 6 leaves them consecutive', async () => {
  await buy(430);
  has(1_000_00);
  await run(first);
  await applyOutcome(api, returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 6));
  has(0);
  await run(second);
  has(1_000_00);
  await run(third);
  await applyOutcome(api, returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 6));
  const [pause] = await api.rows`select reason from pauses where supporter_id = ${supporter.supporterId}`;
  expect(pause?.reason).toBe('two returns');
  await soundBooks();
});

test('of two debits left planned, neither is submitted together with the other while no balance can be read', async () => {
  has(undefined);
  for (let others = 0; others < 50; others += 1) {
    const other = await api.supporter({ floor: 50_00 }); // enough debits that the two are checked in different batches
    await recordRoundUps(api.db.of(other.supporterId), api.clock.now(), [
      aPurchase(other, { cents: 430, day: '2026-11-23' }),
    ]);
  }
  for (const [at, day] of [first, second].entries()) {
    await buy(430 - at, '2026-11-23');
    await planDebits(api.db, api.clock, api.tenants, day);
  }
  expect(await submitDebits(api)).toMatchObject({ submitted: 50, deferred: { 'not readable': 2 } });
  expect(await run(third)).toMatchObject({ submitted: 1 });
  await soundBooks();
});

test('an unreadable balance makes a debit wait once, never twice in a row', async () => {
  has(undefined);
  const went: number[] = [];
  for (const [at, day] of [first, second, third, fourth].entries()) {
    await buy(430 - at, '2026-11-23');
    went.push((await run(day)).submitted);
  }
  expect(went).toEqual([0, 1, 0, 1]);
  await soundBooks();
});

test('a bank that does not answer counts as an unreadable balance, and delays no other supporter', async () => {
  await buy(430);
  api.bankLink.setUnreachable(true, supporter.bankCustomerId);
  const other = await api.supporter({ floor: 50_00 });
  await recordRoundUps(api.db.of(other.supporterId), api.clock.now(), [
    aPurchase(other, { cents: 430, day: '2026-11-23' }),
  ]);
  expect(await run(first)).toMatchObject({ planned: 2, submitted: 1, skipped: { 'not readable': 1 } });
  api.bankLink.setUnreachable(false, supporter.bankCustomerId);
  await soundBooks();
});

test('with the low-balance check off the bank is not asked', async () => {
  await begin(0);
  await buy(430);
  has(0);
  const asked = vi.spyOn(api.bankLink, 'balanceOf');
  expect(await run(first)).toMatchObject({ submitted: 1 });
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

test('a one-off donation goes regardless of the balance: donors know their own', async () => {
  has(0);
  const gift = { amount: cents(25_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporter.supporterId), api.clock, api.tenants, supporter.supporterId, gift);
  expect(await run(first)).toMatchObject({ submitted: 1 });
  await soundBooks();
});

test('a refund larger than the new round-ups waits with the debit that it reduces', async () => {
  has(0);
  await buy(410);
  await run(first);
  await buy(495, '2026-11-26');
  await api.rows`
    insert into purchase_refunds (supporter_id, round_up_seq, account_id, transaction_id, fingerprint, occurrence, posted_on, description, cents, recorded_at)
    select supporter_id, seq, account_id, 'refund', fingerprint, 1, '2026-11-26', 'BACK', 90, now() from round_ups where seq = 1`;
  await run(second);
  await soundBooks();
  expect([await pledged(), (await history()).at(-1)]).toEqual([5, '90 waiting']);
  await run(third);
  await soundBooks();
  expect([await pledged(), (await history()).at(-1)]).toEqual([0, '90 dropped']);
});

const runAt = (time: string) => {
  api.clock.setTo(new Date(Date.parse(`2026-11-25T${time}:00+11:00`)).toISOString());
  return runDueDebits(api, first);
};

test('the answer of a bank link that is back at 06:30 counts in the run of 06:00', async () => {
  await buy(430);
  has(80_00);
  api.bankLink.failNext('unavailable');
  expect(await runAt('06:00')).toMatchObject({ planned: 1, submitted: 0, awaitsBalances: 1 });
  expect(await history()).toEqual(['70 waiting']);
  await buy(420, '2026-11-24'); // a late sync: it goes with the next run
  expect(await runAt('06:30')).toMatchObject({ planned: 0, submitted: 1, totalCents: 70, awaitsBalances: 0 });
  await soundBooks();
});

test('an operator’s run at 07:00 also leaves debits to be checked again planned', async () => {
  await buy(430);
  api.bankLink.failNext('unavailable');
  api.clock.setTo('2026-11-24T20:00:00Z');
  expect(await runDebits(api, first)).toMatchObject({ planned: 1, submitted: 0, awaitsBalances: 1 });
  has(80_00);
  expect(await runAt('07:01')).toMatchObject({ submitted: 1, skipped: {} });
  await soundBooks();
});

test('a bank link that is back at 06:30 and shows too little defers the debit then', async () => {
  await buy(430);
  has(20_00);
  api.bankLink.failNext('unavailable');
  await runAt('06:00');
  expect(await runAt('06:30')).toMatchObject({ submitted: 0, skipped: { 'below floor': 1 } });
  await soundBooks();
});

test('a bank link without an answer until 09:00 defers the debit', async () => {
  await buy(430);
  api.bankLink.failNext('unavailable');
  await runAt('06:00');
  api.bankLink.failNext('unavailable');
  expect(await runAt('08:59')).toMatchObject({ submitted: 0, awaitsBalances: 1 });
  api.bankLink.failNext('unavailable');
  expect(await runAt('09:00')).toMatchObject({ submitted: 0, skipped: { 'not readable': 1 }, awaitsBalances: 0 });
  await soundBooks();
});

test('a supporter with an expired consent is not debited, though their bank could not be queried', async () => {
  await buy(430);
  await api.rows`update supporters set consent_expires_at = '2026-11-24T18:00:00Z'`; // 05:00 in Sydney
  expect(await runAt('06:00')).toMatchObject({ planned: 0, skipped: { 'no consent': 1 } });
});

test('a debit that was planned is not submitted once the consent has run out', async () => {
  await buy(430);
  has(80_00);
  await api.rows`update supporters set consent_expires_at = '2026-11-24T19:15:00Z'`; // 06:15 in Sydney
  api.bankLink.failNext('unavailable');
  await runAt('06:00');
  expect(await runAt('06:30')).toMatchObject({ submitted: 0 });
});
