import { randomUUID } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { loseLocks } from '#testing/database.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants, type TestSupporter } from '#testing/makers.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { planDebits } from './plan-debits.ts';
import { submitDebits } from './submit-debits.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);

const wednesday = isoDate('2026-11-25');
const submit = () => submitDebits(deps());

/** Plans a debit of these cents, at most 99. */
async function planned(amount: number, db = database.pool): Promise<TestSupporter> {
  const supporter = await aSupporter(db, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { cents: 500 - amount }),
  ]);
  await planDebits(database.pool, clock, someTenants(aTenant()), wednesday);
  return supporter;
}

const states = async () => {
  const rows = await database.rows<{ state: string }[]>`select state from debits order by amount_cents`;
  return rows.map((row) => row.state);
};
const balance = async ({ supporterId }: TestSupporter, account: string): Promise<number> => {
  const [row] = await database.rows<{ cents: number }[]>`
    select cents from ledger_balances where supporter_id = ${supporterId} and account = ${account}`;
  return row?.cents ?? 0;
};

test('a planned debit is submitted with its amount, mandate, reference, name and day', async () => {
  const supporter = await planned(45);
  expect(await submit()).toEqual({
    submitted: 1,
    totalCents: 45,
    refused: {},
    unknown: 0,
    deferred: {},
    awaitsBalances: 0,
  });
  const [debit] = await database.rows`select id, reference, state, provider_ref, submitted_at from debits`;
  expect(directDebit.taken).toMatchObject([
    {
      id: debit?.id,
      providerRef: debit?.provider_ref,
      mandateRef: directDebit.mandates[0]?.mandateRef,
      amount: 45,
      remitter: 'SPARECHANGE',
      reference: debit?.reference,
      dueOn: wednesday,
    },
  ]);
  expect(debit).toMatchObject({ state: 'submitted', submitted_at: clock.now() });
  expect([await balance(supporter, 'pledged'), await balance(supporter, 'in_flight')]).toEqual([0, 45]);
});

test('submitting again submits nothing', async () => {
  await planned(45);
  await submit();
  expect(await submit()).toEqual({
    submitted: 0,
    totalCents: 0,
    refused: {},
    unknown: 0,
    deferred: {},
    awaitsBalances: 0,
  });
  expect(directDebit.taken).toHaveLength(1);
});

test('a run of more than one batch is submitted whole', async () => {
  for (const supporter of await Promise.all(
    Array.from({ length: 120 }, () => aSupporter(database.pool, { directDebit })),
  )) {
    await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter, { cents: 455 })]);
  }
  await planDebits(database.pool, clock, someTenants(aTenant()), wednesday);
  expect(await submit()).toMatchObject({ submitted: 120, totalCents: 120 * 45 });
  expect(new Set(directDebit.taken.map(({ id }) => id)).size).toBe(120);
});

test('a debit that the provider accepted without answering is looked up and not repeated', async () => {
  const supporter = await planned(45);
  directDebit.failNext('time-out after effect');
  expect(await submit()).toMatchObject({ submitted: 0, unknown: 1 });
  expect(await states()).toEqual(['submitting']);
  expect(await balance(supporter, 'pledged')).toBe(45);
  expect(await submit()).toMatchObject({ submitted: 1, totalCents: 45, unknown: 0, deferred: {} });
  expect(directDebit.taken).toHaveLength(1);
  expect(await balance(supporter, 'in_flight')).toBe(45);
});

test('after a restore, debits found at the provider by reference are recorded, and only the others are sent', async () => {
  const supporter = await planned(45);
  await planned(30);
  const [debit] = await database.rows<{ reference: string }[]>`select reference from debits where amount_cents = 45`;
  // The row of the lost hour had another id, but the same supporter and day and so the same reference.
  const lost = { id: randomUUID(), mandateRef: directDebit.mandates[0]?.mandateRef ?? '', amount: cents(45) };
  await directDebit.submitDebits([
    { ...lost, remitter: 'SPARECHANGE', reference: debit?.reference ?? '', dueOn: wednesday },
  ]);
  expect(await submitDebits({ ...deps(), isAfterRestore: true })).toMatchObject({ submitted: 2, totalCents: 75 });
  expect(directDebit.taken.map(({ amount }) => amount)).toEqual([45, 30]);
  expect(await balance(supporter, 'in_flight')).toBe(45);
});

test('a debit that never reached the provider is looked up and then repeated', async () => {
  await planned(45);
  directDebit.failNext('time-out before effect');
  await submit();
  expect(await submit()).toMatchObject({ submitted: 1 });
  expect(directDebit.taken).toHaveLength(1);
});

test.each(['crash before effect', 'crash after effect'] as const)(
  'a program that ends between the intent and the answer, by a %s, causes no second debit',
  async (crash) => {
    await planned(45, database.bucket);
    await planned(46, database.bucket);
    directDebit.failNext(crash);
    await expect(submit()).rejects.toThrow(crash);
    expect(await states()).toEqual(['submitting', 'submitting']);
    expect(await submit()).toMatchObject({ submitted: 2, totalCents: 91 });
    expect(directDebit.taken.map(({ amount }) => amount).toSorted()).toEqual([45, 46]);
  },
);

test('a provider that is down leaves everything for the next time', async () => {
  await planned(45);
  directDebit.setUnreachable(true);
  expect(await submit()).toMatchObject({ submitted: 0, unknown: 1 });
  await submit();
  directDebit.setUnreachable(false);
  clock.setTo('2026-11-24T22:10:00Z');
  expect(await submit()).toMatchObject({ submitted: 1 });
  expect(directDebit.taken).toHaveLength(1);
});

/** Plans debits of 45 cents, each for a new supporter. */
async function manyPlanned(count: number): Promise<void> {
  const supporters = await Promise.all(Array.from({ length: count }, () => aSupporter(database.pool, { directDebit })));
  for (const supporter of supporters)
    await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter, { cents: 455 })]);
  await planDebits(database.pool, clock, someTenants(aTenant()), wednesday);
}

test('one unknown answer does not hold up other debits', async () => {
  await manyPlanned(60);
  directDebit.failNext('time-out after effect');
  expect(await submit()).toMatchObject({ submitted: 59, unknown: 1 });
  expect(await submit()).toMatchObject({ submitted: 1, unknown: 0, deferred: {} });
  expect(directDebit.taken).toHaveLength(60);
});

const secondsLater = (seconds: number) => clock.setTo(new Date(clock.now().getTime() + seconds * 1_000).toISOString());

test('many unknown answers in a row stop the submission, which reports it; the rest stays planned', async () => {
  await manyPlanned(30);
  directDebit.neverAnswer(() => true);
  const report = await submit();
  expect(report).toMatchObject({ submitted: 0, unknown: 5 });
  expect(report.stopped).toBe('5 of the last 5 calls had no conclusive answer');
  expect((await states()).toSorted()).toEqual([...Array(25).fill('planned'), ...Array(5).fill('submitting')]);
  directDebit.neverAnswer(() => false);
  expect((await submit()).stopped).toMatch(/^the provider has answered none since .* and is left alone until /);
  expect(directDebit.taken).toHaveLength(0);
  secondsLater(31);
  expect(await submit()).toMatchObject({ submitted: 30, unknown: 0 });
  expect(directDebit.taken).toHaveLength(30);
});

test('after a pause a few debits test whether the provider answers; if not, it is left alone for longer', async () => {
  await manyPlanned(30);
  directDebit.neverAnswer(() => true);
  const unanswered = async () => (await states()).filter((state) => state === 'submitting').length;
  await submit();
  const met = [await unanswered()];
  for (const seconds of [31, 31, 30]) {
    secondsLater(seconds);
    await submit();
    met.push(await unanswered());
  }
  const more = met.slice(1).map((count, at) => count - (met[at] ?? 0));
  expect(more).toEqual([expect.any(Number), 0, expect.any(Number)]);
  for (const few of [more[0], more[2]]) {
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThanOrEqual(5);
  }
});

test('a refused debit keeps its round-ups pledged and goes with the next run', async () => {
  const supporter = await planned(45);
  directDebit.failNext('refused');
  expect(await submit()).toEqual({
    submitted: 0,
    totalCents: 0,
    refused: { other: 1 },
    unknown: 0,
    deferred: {},
    awaitsBalances: 0,
  });
  const [debit] = await database.rows`select state, refusal from debits`;
  expect(debit).toEqual({ state: 'refused', refusal: 'refused by the test' });
  expect(await balance(supporter, 'pledged')).toBe(45);
  const plan = await planDebits(database.pool, clock, someTenants(aTenant()), isoDate('2026-11-27'));
  expect(plan).toMatchObject({ planned: 1, totalCents: 45 });
});

test('a refusal that cannot be booked does not hold up other debits, and is booked later', async () => {
  for (const amount of [45, 46, 47]) await planned(amount, database.bucket);
  directDebit.failNext('refused');
  await whileRefused(database.bucket, 'update on debits', "new.state = 'refused'", async () => {
    await expect(submit()).rejects.toThrow('refused');
  });
  expect(directDebit.taken).toHaveLength(2);
  expect((await states()).toSorted()).toEqual(['submitted', 'submitted', 'submitting']);
  directDebit.failNext('refused');
  expect(await submit()).toMatchObject({ submitted: 0, refused: { other: 1 }, unknown: 0 });
  expect((await states()).toSorted()).toEqual(['refused', 'submitted', 'submitted']);
});

test('two processes submitting concurrently submit each debit once', async () => {
  for (const amount of [41, 42, 43, 44]) await planned(amount);
  const reports = await Promise.all([submit(), submit(), submit()]);
  expect(reports.map((report) => report.submitted).toSorted()).toEqual([0, 0, 4]);
  expect(directDebit.taken).toHaveLength(4);
});

test('while another process submits, nothing is done, and this is reported', async () => {
  await planned(45);
  await withSessionLock(database.pool, 'submit debits', async () => {
    expect(await submit()).toMatchObject({ submitted: 0, isBusy: true });
  });
  expect(directDebit.taken).toEqual([]);
});

test('a process that lost its lock takes no further batch', async () => {
  for (let amount = 41; amount < 48; amount += 1) await planned(amount, database.bucket);
  const loses: typeof directDebit = {
    ...directDebit,
    submitDebits: async (orders) => {
      await loseLocks(database.pool);
      return directDebit.submitDebits(orders);
    },
  };
  await expect(submitDebits({ ...deps(), directDebit: loses })).rejects.toThrow('terminating connection');
  expect(directDebit.taken).toHaveLength(5);
  expect(await submit()).toMatchObject({ submitted: 2 });
  expect(directDebit.taken).toHaveLength(7);
});

test('a debit planned for a day that has passed is due today', async () => {
  await planned(45);
  const later = aClock('2026-11-26T22:00:00Z');
  await submitDebits({ ...deps(), clock: later });
  expect(directDebit.taken[0]?.dueOn).toBe('2026-11-27');
});

test('a debit planned before the consent ended waits until there is one again', async () => {
  await planned(45);
  await database.rows`update supporters set consent_active = false`;
  expect(await submit()).toMatchObject({ submitted: 0 });
  await database.rows`update supporters set consent_active = true`;
  expect(await submit()).toMatchObject({ submitted: 1 });
});

test.each([
  ['the bank no longer shows', 'is_listed = false', 'is_listed = true'],
  ['a debit came back from', "unusable_since = '2026-11-25'", 'unusable_since = null'],
])('a debit whose funding account %s waits', async (_why, fault, mended) => {
  const supporter = await planned(45);
  const change = (what: string) =>
    database.rows.unsafe(`update accounts set ${what} where supporter_id = '${supporter.supporterId}' and is_funding`);
  await change(fault);
  expect(await submit()).toMatchObject({ submitted: 0 });
  expect(await states()).toEqual(['planned']);
  await change(mended);
  expect(await submit()).toMatchObject({ submitted: 1 });
});

test('a debit planned before its supporter paused waits until they resume', async () => {
  const supporter = await planned(45);
  await database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, reason)
    values (${supporter.supporterId}, ${clock.now()}, ${wednesday}, 'supporter')`;
  expect(await submit()).toMatchObject({ submitted: 0 });
  expect(await states()).toEqual(['planned']);
  await database.rows`update pauses set resumed_on = ${wednesday}`;
  expect(await submit()).toMatchObject({ submitted: 1 });
});
