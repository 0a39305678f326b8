import { isoDate, type ReturnCode } from '@sparechange/domain';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { aClub, aSupporter, cleared, returned } from '#testing/makers.ts';
import { aClearedDebit, reverse, setBankDetails } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { listFailedRemittances, retryRemittances, watchRemittances } from './failed-remittances.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
let club: string;
beforeEach(async () => {
  on('2026-11-24');
  club = await aPayableClub('12345678');
});
const aPayableClub = async (accountNumber: string) => {
  const id = await aClub(database.pool);
  await setBankDetails(database.pool, id, accountNumber);
  return id;
};

/** Ten in the morning in Sydney. */
const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
const remit = (date?: string) => remitToClubs(deps(), date ? isoDate(date) : undefined);
const remitOn = (day: string) => {
  on(day);
  return remit();
};
const outcome = (event: Parameters<typeof applyOutcome>[1]) => applyOutcome(deps(), event);
const payouts = () => directDebit.taken.filter(({ kind }) => kind === 'payout');
const amountsSince = (count: number) =>
  payouts()
    .slice(count)
    .map(({ amount }) => amount)
    .toSorted((one, other) => one - other);
const lastRef = () => payouts().at(-1)?.providerRef ?? '';
const gives = async (amount: number, overrides: { clubId?: string; savings?: boolean } = {}) =>
  aClearedDebit(deps(), await aSupporter(database.pool, { clubId: club, directDebit, ...overrides }), amount);
const givesOn = (day: string, amount: number) => {
  on(day);
  return gives(amount);
};
/** Remits cents of one supporter on Wednesday. */
const remitted = async (amount = 50) => {
  const debit = await gives(amount);
  await remitOn('2026-11-25');
  return debit;
};
const balances = async (clubId = club) => {
  const rows = await database.rows<{ account: string; cents: number }[]>`
    select account, cents from club_balances where club_id = ${clubId} and cents <> 0 order by account`;
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};
const states = async () => {
  const rows = await database.rows`select state from remittances order by run_date, attempt`;
  return rows.map(({ state }) => state);
};
const nothing = { clubs: 0, totalCents: 0, kept: [], refused: [], unknown: 0 };

test('a club is paid its part of the amounts cleared up to the day before, from all its supporters', async () => {
  await gives(91, { savings: true });
  await gives(50);
  expect(await remit()).toEqual(nothing);
  await givesOn('2026-11-25', 20);
  expect(await remit()).toEqual({ clubs: 1, totalCents: 96, kept: [], refused: [], unknown: 0 });
  expect(payouts()).toMatchObject([{ amount: 96, remitter: 'SPARECHANGE', dueOn: '2026-11-25' }]);
  expect(await balances()).toEqual({ collected: 96, in_transit: 96 });
  expect(await outcome(cleared(lastRef()))).toBe('cleared');
  expect(await outcome(cleared(lastRef()))).toBe('nothing');
  expect(await balances()).toEqual({ collected: 96, remitted: 96 });
  expect(await remitOn('2026-11-26')).toMatchObject({ clubs: 1, totalCents: 20 });
});

test('each club is paid its own amount', async () => {
  const other = await aPayableClub('87654321');
  await gives(50);
  await gives(30, { clubId: other });
  expect(await remitOn('2026-11-25')).toMatchObject({ clubs: 2, totalCents: 80 });
  expect(amountsSince(0)).toEqual([30, 50]);
});

test('the rows of a club do not grow with its supporters', async () => {
  for (let count = 0; count < 12; count += 1) await gives(10);
  await remitOn('2026-11-25');
  const [rows] = await database.rows<{ count: number }[]>`select count(*) as count from club_entries`;
  expect(rows?.count).toBe(4);
});

test('running it again, or many times in parallel, pays nothing twice', async () => {
  await gives(50);
  on('2026-11-25');
  await Promise.allSettled([remit(), remit(), remit()]);
  expect(payouts()).toHaveLength(1);
  expect(await remit()).toEqual(nothing);
  expect(payouts()).toHaveLength(1);
});

test('a run beside another submission of remittances reports it, and is made again', async () => {
  await gives(50);
  await withSessionLock(database.pool, 'submit remittances', () =>
    expect(remitOn('2026-11-26')).rejects.toThrow('run again in a minute'),
  );
  expect(await remitOn('2026-11-26')).toMatchObject({ clubs: 1, totalCents: 50 });
});

test('days without a run are paid with the next remittance', async () => {
  await gives(50);
  await givesOn('2026-11-25', 20);
  expect(await remitOn('2026-12-07')).toMatchObject({ clubs: 1, totalCents: 70 });
});

test('an earlier date pays only up to the day before it; a future day is refused', async () => {
  await gives(50);
  await givesOn('2026-11-25', 20);
  on('2026-11-30');
  expect(await remit('2026-11-25')).toMatchObject({ totalCents: 50 });
  await expect(remit('2026-12-01')).rejects.toThrow('2026-12-01 is still to come');
  expect(await remit()).toMatchObject({ totalCents: 20 });
});

test('an amount that clears on a closed day is booked on the first open one', async () => {
  await remitted();
  await givesOn('2026-11-24', 20);
  expect(await remitOn('2026-11-26')).toMatchObject({ clubs: 1, totalCents: 20 });
});

test('an amount that clears while days are closed is counted exactly once', async () => {
  const supporters = await Promise.all(
    [1, 2, 3, 4].map(() => aSupporter(database.pool, { clubId: club, directDebit })),
  );
  for (const supporter of supporters) await aClearedDebit(deps(), supporter, 10);
  on('2026-11-25');
  const [first] = supporters;
  await Promise.allSettled([remit(), ...(first ? [aClearedDebit(deps(), first, 5)] : []), remit()]);
  await remitOn('2026-11-26');
  expect(payouts().reduce((sum, { amount }) => sum + amount, 0)).toBe(45);
});

test('a club without bank details keeps its balance and is named, and is paid once they are there', async () => {
  const poor = await aClub(database.pool, { name: 'Poor Club' });
  await gives(50, { clubId: poor });
  expect(await remitOn('2026-11-25')).toEqual({
    ...nothing,
    kept: [{ clubId: poor, club: 'Poor Club', cents: 50, reason: 'no bank details' }],
  });
  expect(await balances(poor)).toEqual({ collected: 50, payable: 50 });
  await setBankDetails(database.pool, poor, '11112222');
  expect(await remit()).toMatchObject({ clubs: 1, totalCents: 50, kept: [] });
});

test('an amount reversed after it was remitted is netted from the next remittance', async () => {
  const debit = await remitted();
  await outcome(cleared(lastRef()));
  await reverse(deps(), debit);
  await gives(20);
  expect(await remitOn('2026-11-26')).toEqual({
    ...nothing,
    kept: [{ clubId: club, club: 'Riverside Rovers', cents: -30, reason: 'more was taken back than cleared' }],
  });
  expect(await balances()).toEqual({ collected: 20, payable: -30, remitted: 50 });
  expect((await auditBooks(database.pool)).violations).toEqual([]);
  await gives(75);
  expect(await remitOn('2026-11-27')).toMatchObject({ clubs: 1, totalCents: 45 });
});

test.each([
  ['at once', ['returned'], 'returned'],
  ['after it had arrived', ['cleared', 'returned'], 'reversed'],
] as const)('a remittance returned %s waits for new bank details', async (_when, news, state) => {
  await remitted();
  for (const each of news) await outcome(each === 'cleared' ? cleared(lastRef()) : returned(lastRef(), 5));
  expect(await states()).toEqual([state]);
  expect(await balances()).toEqual({ collected: 50, payable: 50 });
  await gives(20);
  expect(await remitOn('2026-11-26')).toMatchObject({
    clubs: 0,
    kept: [{ cents: 70, reason: 'waits for new bank details' }],
  });
  await setBankDetails(database.pool, club, '99990000');
  expect(await remit()).toMatchObject({ clubs: 1, totalCents: 70, kept: [] });
  expect(await states()).toEqual([state, 'submitted']);
});

test('a remittance returned after the next one was made is paid with the one after that', async () => {
  await remitted();
  const first = lastRef();
  await gives(20);
  await remitOn('2026-11-26');
  await outcome(returned(first, 6));
  await setBankDetails(database.pool, club, '99990000');
  await gives(5);
  expect(await remitOn('2026-11-27')).toMatchObject({ clubs: 1, totalCents: 55 });
});

test('a refused remittance stays in the balance with the reason, and the others are paid', async () => {
  const other = await aPayableClub('87654321');
  await gives(50);
  await gives(30, { clubId: other });
  on('2026-11-25');
  directDebit.failNext('refused');
  const { clubs, refused } = await remit();
  expect([clubs, refused]).toMatchObject([1, [{ reason: 'refused by the test' }]]);
  expect(await remit()).toMatchObject({ clubs: 0, kept: [{ reason: 'will be retried', retryOn: '2026-11-26' }] });
});

test('it can be tried again on the same day with new bank details', async () => {
  await gives(50);
  on('2026-11-25');
  directDebit.failNext('refused');
  await remit();
  await setBankDetails(database.pool, club, '99990000');
  expect(await remit()).toMatchObject({ clubs: 1, totalCents: 50 });
  expect(await states()).toEqual(['refused', 'submitted']);
});

const faults = ['crash before', 'crash after', 'time-out before', 'time-out after'] as const;
test.each(faults)('a %s its effect pays nothing twice', async (fault) => {
  await gives(50);
  on('2026-11-25');
  directDebit.failNext(`${fault} effect`);
  if (fault.startsWith('crash')) await expect(remit()).rejects.toThrow(fault);
  else expect(await remit()).toMatchObject({ clubs: 0, unknown: 1 });
  expect(await states()).toEqual(['submitting']);
  expect(await remit()).toMatchObject({ clubs: 1, totalCents: 50 });
  expect(payouts()).toHaveLength(1);
});

/** Remits 50 cents, returned the same day with that code. */
async function comesBack(code: ReturnCode): Promise<void> {
  await remitted();
  await outcome(returned(lastRef(), code));
}
const paidOn = async (day: string) => {
  const before = payouts().length;
  await remitOn(day);
  return amountsSince(before);
};

test.each([2, 6, 8] as const)(
  'a remittance returned with code %i is paid again automatically, later each time',
  async (code) => {
    await comesBack(code);
    expect(await paidOn('2026-11-25')).toEqual([]);
    expect(await paidOn('2026-11-26')).toEqual([50]);
    await outcome(returned(lastRef(), code));
    expect(await paidOn('2026-11-27')).toEqual([]);
    expect(await paidOn('2026-11-30')).toEqual([50]);
    await outcome(returned(lastRef(), code));
    expect([await paidOn('2026-12-01'), await paidOn('2026-12-03')]).toEqual([[], []]);
    expect(await paidOn('2026-12-04')).toEqual([50]);
    await outcome(cleared(lastRef()));
    expect(await balances()).toEqual({ collected: 50, remitted: 50 });
  },
);

test('new money is paid separately while an old failure waits, and beside it when that is due', async () => {
  await comesBack(6);
  await gives(20);
  await outcome(returned(lastRef(), 6));
  await database.rows`update remittances set retry_on = '2026-11-30' where state = 'returned'`;
  expect(await paidOn('2026-11-26')).toEqual([20]);
  await gives(30);
  expect(await paidOn('2026-11-30')).toEqual([30, 50]);
});

test("on the day new money was paid beside it, an old failure is paid again at an operator's request", async () => {
  await comesBack(6);
  await gives(20);
  await database.rows`update remittances set retry_on = '2026-11-30' where state = 'returned'`;
  expect(await paidOn('2026-11-26')).toEqual([20]);
  await retryRemittances(database.pool, club, isoDate('2026-11-26'));
  expect(await paidOn('2026-11-26')).toEqual([50]);
});

test('two payments to one club, an old failure and new money, count as one paid club', async () => {
  await comesBack(6);
  await gives(20);
  expect(await remitOn('2026-11-26')).toMatchObject({ clubs: 1, totalCents: 70 });
  expect(payouts()).toHaveLength(3);
});

test('a due failure is netted with amounts reversed since', async () => {
  const debit = await gives(30);
  await remitOn('2026-11-25');
  await outcome(cleared(lastRef()));
  await gives(50);
  await remitOn('2026-11-26');
  await outcome(returned(lastRef(), 6));
  await reverse(deps(), debit);
  expect(await paidOn('2026-11-27')).toEqual([20]);
});

test('wrong details hold back new money too, until an operator forces a retry', async () => {
  await comesBack(3);
  await gives(20);
  expect(await paidOn('2026-12-10')).toEqual([]);
  await expect(retryRemittances(database.pool, 'nobody', isoDate('2026-12-10'))).rejects.toThrow(
    'The club nobody was not found',
  );
  expect(await retryRemittances(database.pool, club, isoDate('2026-12-10'))).toMatchObject({ retried: 1 });
  expect(await paidOn('2026-12-10')).toEqual([20, 50]);
});

test('a failed payment raises an alarm, once, and is listed until it was paid again', async () => {
  await comesBack(6);
  const watch = () => watchRemittances({ db: database.pool, clock, log: pino({ level: 'silent' }) });
  await watch();
  await watch();
  const [alarm, ...others] = await database.rows`select name, sentence from alarms`;
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ name: 'remittance_failed' });
  expect(alarm?.sentence).toMatch(/\$0\.50 to Riverside Rovers failed on 2026-11-25 .*will be retried on 2026-11-26/);
  expect(await listFailedRemittances(database.pool)).toMatchObject([{ cents: 50, retryOn: '2026-11-26' }]);
  await paidOn('2026-11-26');
  expect(await listFailedRemittances(database.pool)).toEqual([]);
});

test('failed payments beyond the limit of one round of alarms are alarmed in the next', async () => {
  await comesBack(6);
  await database.rows`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, state, failure, planned_at)
    select club_id, run_date, attempt + number, amount_cents, reference || number, 'refused', 'no such account', planned_at
    from remittances, generate_series(1, 250) number`;
  const watch = async () => {
    await watchRemittances({ db: database.pool, clock, log: pino({ level: 'silent' }) });
    return (await database.rows`select from alarms`).count;
  };
  expect([await watch(), await watch(), await watch()]).toEqual([200, 251, 251]);
  await database.rows`delete from remittances where failure = 'no such account'`; // no journal has them
});
