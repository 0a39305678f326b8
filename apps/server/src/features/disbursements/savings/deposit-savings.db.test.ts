import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { resubmitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { today } from '#ports/clock.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { inBucketOf } from '#testing/database.ts';
import { aSupporter, cleared, returned, silentLog, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { aClearedDebit, balancesOf, reverse } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { depositKind } from './deposit-kind.ts';
import { depositSavings } from './deposit-savings.ts';
import { findSavingsAccount, type LinkedSavings, saveSavingsAccount } from './savings-repository.ts';
import { watchDeposits } from './watch-deposits.ts';

const buckets = 4;
const { database, clock, directDebit, deps } = ownPayments({ ...forgetful, buckets });

const run = () => depositSavings(deps());
const payouts = () => directDebit.taken.filter(({ kind }) => kind === 'payout');
const lastRef = () => payouts().at(-1)?.providerRef ?? '';
const [decemberFirst, januaryFourth] = ['2026-11-30T23:30:00Z', '2027-01-03T23:30:00Z'];

/** A supporter with 45 cents of a debit of 91 set aside in November, seen on the first of December. */
async function saver(amount = 91): Promise<TestSupporter> {
  clock.setTo('2026-11-24T22:00:00Z');
  const supporter = await aSupporter(database.bucket, { savings: true, directDebit });
  await aClearedDebit(deps(), supporter, amount);
  clock.setTo(decemberFirst);
  return supporter;
}

const states = async () => {
  const rows = await database.rows<{ state: string }[]>`select state from deposits order by month, attempt`;
  return rows.map(({ state }) => state);
};
const relink = ({ supporterId }: TestSupporter) =>
  database.rows`update savings_accounts set linked_at = ${clock.now()}, refused_at = null where supporter_id = ${supporterId}`;
async function linkedSavings({
  supporterId,
}: TestSupporter): Promise<Omit<LinkedSavings, 'linkedAt' | 'receivesFrom'>> {
  const [account] = await database.rows<LinkedSavings[]>`
    select account_name as "accountName", masked_number as "maskedNumber", bsb_encrypted as "bsbEncrypted",
      account_number_encrypted as "accountNumberEncrypted" from savings_accounts where supporter_id = ${supporterId}`;
  if (!account) throw new Error('No savings account is linked.');
  return account;
}
const alarms = async () =>
  (await database.rows`select name, about from alarms order by about`).map(({ name, about }) => [name, about]);
const healthy = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);

test('on the first banking day the previous month is deposited into the linked account', async () => {
  const supporter = await saver();
  expect(await run()).toEqual({ month: '2026-11', deposits: 1, totalCents: 45, refused: [], unknown: 0 });
  expect(await balancesOf(database.pool, supporter)).toEqual({ cash: 91, club_payable: 46, savings_depositing: 45 });
  expect(payouts()).toMatchObject([{ amount: 45, dueOn: '2026-12-01', remitter: 'SPARECHANGE' }]);
  expect(await applyOutcome(deps(), cleared(lastRef()))).toBe('cleared');
  expect(await balancesOf(database.pool, supporter)).toEqual({ cash: 91, club_payable: 46, savings_deposited: 45 });
});

test('running it again, or many times in parallel, deposits nothing twice', async () => {
  await saver();
  await saver(81);
  await Promise.allSettled([run(), run(), run()]);
  expect(await run()).toMatchObject({ deposits: 0, totalCents: 0 });
  expect(
    payouts()
      .map(({ amount }) => amount)
      .toSorted(),
  ).toEqual([40, 45]);
});

test('more than one batch is deposited whole, from every bucket, once, and its outcomes come back there', async () => {
  const savers = await Promise.all(
    uidsInEachBucket(buckets, 15).map((uid) => aSupporter(database.pool, { uid, savings: true, directDebit })),
  );
  for (const supporter of savers) await aClearedDebit(deps(), supporter, 10);
  clock.setTo(decemberFirst);
  expect(await run()).toMatchObject({ deposits: 60, totalCents: 300, unknown: 0 });
  expect(await run()).toMatchObject({ deposits: 0 });
  directDebit.clearAll();
  await pollOutcomes(deps());
  for (const supporter of savers)
    expect(await balancesOf(database.pool, supporter)).toEqual({ cash: 10, club_payable: 5, savings_deposited: 5 });
});

test('an amount that clears in December is deposited in January', async () => {
  const supporter = await saver();
  await aClearedDebit(deps(), supporter, 51);
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
  clock.setTo(januaryFourth);
  expect(await run()).toMatchObject({ month: '2026-12', deposits: 1, totalCents: 25 });
});

test("a December debit that was reversed deducts nothing from November's set-aside", async () => {
  const supporter = await saver();
  await reverse(deps(), await aClearedDebit(deps(), supporter, 51));
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
});

test('a month that has not ended is refused', async () => {
  await saver();
  await expect(depositSavings(deps(), isoDate('2026-12-01'))).rejects.toThrow('2026-12 has not ended');
});

test('switched-off savings and an ended consent do not hold back the set-aside', async () => {
  const { supporterId } = await saver();
  await database.rows`update supporters set savings_enabled = false, consent_active = false where supporter_id = ${supporterId}`;
  expect(await run()).toMatchObject({ deposits: 1 });
});

test.each(['time-out before effect', 'time-out after effect'] as const)(
  'a deposit whose answer was lost by a %s is looked up and made once',
  async (fault) => {
    const supporter = await saver();
    directDebit.failNext(fault);
    expect(await run()).toMatchObject({ deposits: 0, unknown: 1 });
    expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
    expect(payouts()).toHaveLength(1);
    expect((await balancesOf(database.pool, supporter)).savings_depositing).toBe(45);
  },
);

test.each(['crash before effect', 'crash after effect'] as const)(
  'a program that ends between the intent and the answer, by a %s, deposits nothing twice',
  async (crash) => {
    await saver();
    await saver(81);
    directDebit.failNext(crash);
    await expect(run()).rejects.toThrow(crash);
    expect(await states()).toEqual(['submitting', 'submitting']);
    await run();
    expect(
      payouts()
        .map(({ amount }) => amount)
        .toSorted(),
    ).toEqual([40, 45]);
  },
);

test('a deposit that settled before its reference was known is settled once it is found', async () => {
  await saver();
  directDebit.failNext('time-out after effect');
  expect(await run()).toMatchObject({ unknown: 1 });
  directDebit.clear(payouts()[0]?.id ?? '');
  clock.setTo('2026-12-14T23:30:00Z');
  await pollOutcomes(deps());
  await run();
  await pollOutcomes(deps());
  expect(await states()).toEqual(['cleared']);
});

test('a returned deposit is set aside again and waits for another account', async () => {
  const supporter = await saver();
  await run();
  expect(await applyOutcome(deps(), returned(lastRef(), 5))).toBe('returned');
  expect(await applyOutcome(deps(), returned(lastRef(), 5))).toBe('nothing');
  expect(await balancesOf(database.pool, supporter)).toEqual({ cash: 91, club_payable: 46, savings_payable: 45 });
  expect(await run()).toMatchObject({ deposits: 0 });
  await relink(supporter);
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
  expect(await states()).toEqual(['returned', 'submitted']);
});

test.each([2, 6, 8] as const)(
  'a deposit returned with code %i is made again after one banking day, then two, with an alarm once a day',
  async (code) => {
    await saver();
    await run();
    await applyOutcome(deps(), returned(lastRef(), code));
    expect(await run()).toMatchObject({ deposits: 0 });
    clock.setTo('2026-12-01T23:30:00Z');
    expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
    await applyOutcome(deps(), returned(lastRef(), code));
    for (let time = 0; time < 2; time += 1) await watchDeposits({ ...deps(), log: silentLog });
    clock.setTo('2026-12-02T23:30:00Z');
    expect(await run()).toMatchObject({ deposits: 0 });
    clock.setTo('2026-12-03T23:30:00Z');
    expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
    expect(await states()).toEqual(['returned', 'returned', 'submitted']);
    expect(await alarms()).toEqual([
      ['deposits_failed', '2026-12-01'],
      ['deposits_failed', '2026-12-02'],
    ]);
  },
);

test('a returned deposit that was not made again goes with the next month, to the same account', async () => {
  const supporter = await saver();
  await run();
  await applyOutcome(deps(), returned(lastRef(), 6));
  await aClearedDebit(deps(), supporter, 51);
  clock.setTo(januaryFourth);
  expect(await run()).toMatchObject({ month: '2026-12', deposits: 1, totalCents: 45 + 25 });
  expect(await database.rows`select distinct account_linked_at from deposits`).toHaveLength(1);
});

test('a provider that refuses all payouts is called no more in that run, and the rest goes with the next', async () => {
  for (let count = 0; count < 7; count += 1) await saver();
  directDebit.failNext(...Array<'not permitted'>(5).fill('not permitted'));
  const first = await run();
  expect([first.deposits, first.refused.length]).toEqual([0, 5]);
  expect(await database.rows`select from deposits where state = 'planned'`).toHaveLength(2);
  expect(await mailed('savings_account_refused')).toHaveLength(0);
  clock.setTo('2026-12-01T23:30:00Z');
  expect(await run()).toMatchObject({ deposits: 7 });
});

test('a refund of an amount cleared after the month deducts nothing from the month', async () => {
  const supporter = await saver();
  const debitRef = await aClearedDebit(deps(), supporter, 51);
  const [debit] = await database.rows<{ id: string }[]>`select id from debits where provider_ref = ${debitRef}`;
  const { supporterId } = supporter;
  await planRepayment(inBucketOf(deps(), supporterId), { supporterId, debitId: debit?.id ?? '', reason: 'a mistake' });
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
});

test('a deposit returned after it had arrived is set aside again', async () => {
  const supporter = await saver();
  await run();
  await applyOutcome(deps(), cleared(lastRef()));
  expect(await applyOutcome(deps(), returned(lastRef(), 3))).toBe('reversed');
  expect(await balancesOf(database.pool, supporter)).toEqual({ cash: 91, club_payable: 46, savings_payable: 45 });
});

/**
 * Ways in which an account receives nothing: the provider refuses the deposit, or the bank returns it, then or later.
 */
const refusals = {
  'the provider refuses': async () => {
    directDebit.failNext('account invalid');
    await run();
  },
  'the bank returns': async () => {
    await run();
    await applyOutcome(deps(), returned(lastRef(), 5));
  },
  'the bank sends back late': async () => {
    await run();
    await applyOutcome(deps(), cleared(lastRef()));
    await applyOutcome(deps(), returned(lastRef(), 3));
  },
};
const mailed = (kind: string) => database.rows`select facts from mails where facts->>'kind' = ${kind}`;
const mailsOf = ({ supporterId }: TestSupporter) => database.rows`
  select facts from mails where supporter_id = ${supporterId} and facts->>'kind' = 'savings_account_refused'`;

test.each(Object.entries(refusals))(
  'an account whose deposit %s receives no more until it is changed',
  async (_, refuse) => {
    const supporter = await saver();
    await refuse();
    expect(await mailsOf(supporter)).toEqual([{ facts: { kind: 'savings_account_refused', amountCents: 45 } }]);
    await aClearedDebit(deps(), supporter, 51);
    expect((await balancesOf(database.pool, supporter)).savings_payable).toBe(45 + 25);
    clock.setTo(januaryFourth);
    expect(await run()).toMatchObject({ deposits: 0, refused: [] });
    const day = today(clock);
    expect(
      (await findSavingsAccount(database.pool.of(supporter.supporterId), supporter.supporterId, day))?.problem,
    ).toBe('account_refused');
    await saveSavingsAccount(database.pool.of(supporter.supporterId), supporter.supporterId, {
      ...(await linkedSavings(supporter)),
      linkedAt: clock.now(),
      receivesFrom: day,
    });
    expect(
      (await findSavingsAccount(database.pool.of(supporter.supporterId), supporter.supporterId, day))?.problem,
    ).toBeNull();
    expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 + 25 });
    expect(await mailsOf(supporter)).toHaveLength(1);
  },
);

test('a notification about a deposit into a replaced account does not affect the new one', async () => {
  const supporter = await saver();
  await run();
  clock.setTo('2026-12-02T23:30:00Z');
  await relink(supporter);
  await applyOutcome(deps(), returned(lastRef(), 5));
  expect(await mailsOf(supporter)).toEqual([]);
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 45 });
});

test('a refused deposit stays set aside, with the reason, and is not tried again that day unless the account is changed', async () => {
  const supporter = await saver();
  directDebit.failNext('refused');
  const { deposits, refused } = await run();
  expect([deposits, refused]).toMatchObject([0, [{ cents: 45, reason: 'refused by the test' }]]);
  expect((await balancesOf(database.pool, supporter)).savings_payable).toBe(45);
  expect(await run()).toMatchObject({ deposits: 0, refused: [] });
  await relink(supporter);
  expect(await run()).toMatchObject({ deposits: 1 });
});

test('a refused deposit goes with the next month, to the same account', async () => {
  await saver();
  directDebit.failNext('refused');
  await run();
  clock.setTo(januaryFourth);
  expect(await run()).toMatchObject({ month: '2026-12', deposits: 1, totalCents: 45 });
});

test('an account that cannot be decrypted is refused, and the others are deposited', async () => {
  const { supporterId } = await saver();
  await saver(81);
  await database.rows`
    update savings_accounts set bsb_encrypted = account_number_encrypted where supporter_id = ${supporterId}`;
  const { deposits, refused } = await run();
  expect(deposits).toBe(1);
  expect(refused[0]?.reason).toContain('the account cannot be read');
});

test('if a key is missing no saver is refused and emailed; the deposit goes once it is there', async () => {
  await saver();
  const withoutKey = { ...deps(), encryption: makeFieldEncryption([Buffer.alloc(32, 9)]) };
  expect(await depositSavings(withoutKey)).toMatchObject({ deposits: 0, refused: [], unknown: 1 });
  expect(await database.rows`select 1 from mails where facts ->> 'kind' = 'savings_account_refused'`).toEqual([]);
  expect(await run()).toMatchObject({ deposits: 1 });
});

test('a decryption failure of ours proves nothing about the provider', async () => {
  for (let count = 0; count < 6; count += 1) await saver();
  const withoutKey = { ...deps(), encryption: makeFieldEncryption([Buffer.alloc(32, 9)]) };
  expect(await depositSavings(withoutKey)).toMatchObject({ deposits: 0, unknown: 6 });
  expect(await database.rows`select 1 from provider_breakers`).toEqual([]);
});

test('a run beside another submission of deposits reports it, and is made again', async () => {
  await saver();
  await withSessionLock(database.pool, 'submit deposits', () => expect(run()).rejects.toThrow('run again in a minute'));
  expect(await run()).toMatchObject({ deposits: 1 });
});

test('an account changed before a lost deposit is repeated receives it', async () => {
  const supporter = await saver();
  directDebit.failNext('time-out before effect');
  expect(await run()).toMatchObject({ unknown: 1 });
  await relink(supporter);
  await run();
  const [row] = await database.rows<{ linked: Date }[]>`select account_linked_at as linked from deposits`;
  expect(row?.linked).toEqual(clock.now());
});

test("a lost deposit waits for an account that accepts nothing yet, without an operator's decision", async () => {
  const supporter = await saver();
  directDebit.failNext('time-out before effect');
  await run();
  const account = { ...(await linkedSavings(supporter)), linkedAt: clock.now(), receivesFrom: isoDate('2026-12-03') };
  await saveSavingsAccount(database.pool.of(supporter.supporterId), supporter.supporterId, account);
  for (let hour = 1; hour <= 30; hour += 1) {
    clock.setTo(new Date(new Date(decemberFirst).getTime() + hour * 3_600_000).toISOString());
    await resubmitPayouts(deps(), depositKind);
  }
  expect(await database.rows`select parked_at from deposits`).toEqual([{ parked_at: null }]);
  expect(payouts()).toHaveLength(0);
  clock.setTo('2026-12-02T23:30:00Z');
  expect(await resubmitPayouts(deps(), depositKind)).toMatchObject({ submitted: 1, totalCents: 45 });
});

test('a deposited part of a debit reversed later is recovered from the next halves', async () => {
  const supporter = await aSupporter(database.bucket, { savings: true, directDebit });
  const debit = await aClearedDebit(deps(), supporter, 91);
  clock.setTo(decemberFirst);
  await run();
  await applyOutcome(deps(), cleared(lastRef()));
  expect(await reverse(deps(), debit)).toBe('reversed');
  expect(await balancesOf(database.pool, supporter)).toEqual({ savings_deposited: 45, savings_recoverable: 45 });
  await healthy();
  await aClearedDebit(deps(), supporter, 61);
  expect(await balancesOf(database.pool, supporter)).toMatchObject({ savings_recoverable: 15 });
  clock.setTo('2026-12-02T23:00:00Z');
  await aClearedDebit(deps(), supporter, 81);
  expect(await balancesOf(database.pool, supporter)).toMatchObject({ savings_payable: 25 });
  clock.setTo(januaryFourth);
  expect(await run()).toMatchObject({ deposits: 1, totalCents: 25 });
});

test('a returned deposit whose debit has been reversed leaves nothing to recover', async () => {
  const supporter = await aSupporter(database.bucket, { savings: true, directDebit });
  const debit = await aClearedDebit(deps(), supporter, 91);
  clock.setTo(decemberFirst);
  await run();
  await reverse(deps(), debit);
  await applyOutcome(deps(), returned(lastRef(), 5));
  expect(await balancesOf(database.pool, supporter)).toEqual({});
});
