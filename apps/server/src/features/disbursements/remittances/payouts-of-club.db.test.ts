import { isoDate, monthStart, type ReturnCode } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { findAdvice, listSubmitted } from '#features/disbursements/remittance-advice/advice-repository.ts';
import { returned } from '#testing/makers.ts';
import { reverse, setBankDetails } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { clubStatement } from './club-statement.ts';
import { listPayouts, readPendingPayouts } from './payouts-of-club.ts';
import { remitToClubs, resubmitRemittances } from './remit-to-clubs.ts';

const paid = paidClub();
const pendingAt = (at: string) => readPendingPayouts(paid.database.pool, paid.id(), new Date(at));
const list = (page: { after?: string; limit?: number; year?: number } = {}) =>
  listPayouts(
    paid.database.pool,
    { clubId: paid.id(), year: 2026, limit: 50, ...page },
    new Date('2026-11-25T01:00:00Z'),
  );

test('amounts still to come are on their way, or go out with the next run', async () => {
  await paid.gives(90);
  expect(await pendingAt('2026-11-24T00:00:00Z')).toMatchObject({
    waitingCents: 90,
    onItsWay: [],
    hasAccount: true,
    years: [2026],
  });
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  await paid.gives(20);
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({
    waitingCents: 20,
    onItsWay: [{ amountCents: 90, paidOn: '2026-11-25', state: 'submitted' }],
  });
  await paid.arrives();
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({ onItsWay: [] });
});

test('a run takes place each banking day at ten', async () => {
  const nextOf = async (at: string) => (await pendingAt(at)).nextOn;
  expect(await nextOf('2026-11-26T22:59:00Z')).toBe('2026-11-27');
  expect(await nextOf('2026-11-26T23:00:00Z')).toBe('2026-11-30');
});

test('payouts of a financial year are listed page by page, newest first', async () => {
  for (const day of ['2026-11-25', '2026-11-26', '2026-11-27']) {
    await paid.gives(50);
    paid.on(day);
    await remitToClubs(paid.deps());
  }
  const first = await list({ limit: 2 });
  expect(first.rows.map(({ paidOn }) => paidOn)).toEqual(['2026-11-27', '2026-11-26']);
  const second = await list({ limit: 2, after: first.next ?? '' });
  expect([second.rows.map(({ paidOn }) => paidOn), second.next]).toEqual([['2026-11-25'], null]);
  expect(await list({ year: 2025 })).toEqual({ rows: [], next: null });
  for (const after of ['nothing', `2026-13-45.${paid.id()}`, `0000-01-01.${paid.id()}`, '2026-11-26.1'])
    await expect(list({ after })).rejects.toThrow('The page is not known.');
});

test('a payout sent after its run belongs to the banking day on which it is paid, in lists, files and statements', async () => {
  await paid.gives(50);
  paid.on('2026-11-27');
  const { directDebit } = paid.deps();
  directDebit.setUnreachable(true);
  await remitToClubs(paid.deps());
  expect((await list()).rows).toMatchObject([{ paidOn: '2026-11-27', state: 'submitting' }]);
  directDebit.setUnreachable(false);
  paid.on('2026-12-05'); // a Saturday
  await resubmitRemittances(paid.deps());
  expect(directDebit.taken.findLast(({ kind }) => kind === 'payout')).toMatchObject({ dueOn: '2026-12-07' });
  expect((await list()).rows).toMatchObject([{ paidOn: '2026-12-07', state: 'submitted' }]);
  const { pool } = paid.database;
  const [remittance, ...others] = await listSubmitted(pool, paid.id(), isoDate('2026-12-01'), isoDate('2026-12-31'));
  expect(others).toEqual([]);
  expect((await findAdvice(pool, remittance?.id ?? ''))?.facts).toMatchObject({ paidOn: '2026-12-07' });
  const monthOf = async (day: string) => (await clubStatement(pool, paid.id(), monthStart(isoDate(day)))).totalCents;
  expect([await monthOf('2026-11-01'), await monthOf('2026-12-01')]).toEqual([0, 50]);
});

test('a payout that did not arrive shows the next step', async () => {
  await paid.gives(50);
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  const sent = paid.deps().directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '';
  await applyOutcome(paid.deps(), returned(sent, 6));
  expect((await list()).rows).toMatchObject([{ state: 'returned', isPaidAgain: false, retryOn: '2026-11-26' }]);
});

const payouts = () => paid.deps().directDebit.taken.flatMap(({ kind, amount }) => (kind === 'payout' ? [amount] : []));

/** Lets a payout of 50 cents of the 25th come back with that code. */
async function comesBack(code: ReturnCode): Promise<void> {
  await paid.gives(50);
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  const sent = paid.deps().directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '';
  await applyOutcome(paid.deps(), returned(sent, code));
}

test('a failed payout is not promised for the next run but for the day on which it is paid again', async () => {
  await comesBack(6);
  await paid.gives(20);
  const { rows } = paid.database;
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({ waitingCents: 70, retriedCents: 0, retryOn: null });
  await rows`update remittances set retry_on = '2026-11-30'`;
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({
    waitingCents: 70,
    retriedCents: 50,
    retryOn: '2026-11-30',
    waitsForDetails: false,
  });
});

test('money that waits for new bank details is promised for no day until there are some', async () => {
  await comesBack(3);
  await paid.gives(20);
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({ waitingCents: 70, waitsForDetails: true });
  expect((await list()).rows).toMatchObject([{ state: 'returned', retryOn: null }]);
  await setBankDetails(paid.database.pool, paid.id(), '99990000');
  expect((await list()).rows).toMatchObject([{ state: 'returned', retryOn: '2026-11-26' }]);
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({ retriedCents: 0, waitsForDetails: false });
});

test('an amount that clears on the day of a run, before it, is promised for the following run', async () => {
  await paid.gives(90);
  paid.on('2026-11-25');
  await paid.gives(20);
  const expected = { waitingCents: 110, clearedTodayCents: 20, nextOn: '2026-11-25', afterNextOn: '2026-11-26' };
  expect(await pendingAt('2026-11-24T22:00:00Z')).toMatchObject(expected);
  await remitToClubs(paid.deps());
  expect(payouts()).toEqual([90]);
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({ clearedTodayCents: 0, nextOn: '2026-11-26' });
});

test('an amount that fills the reserve is not promised for the next run', async () => {
  await paid.gives(90);
  const { rows } = paid.database;
  await rows`update clubs set reserve_cents = 60`;
  expect(await pendingAt('2026-11-24T00:00:00Z')).toMatchObject({ waitingCents: 90, toReserveCents: 60 });
  await rows`update clubs set reserve_cents = 200`;
  expect(await pendingAt('2026-11-24T00:00:00Z')).toMatchObject({ waitingCents: 90, toReserveCents: 90 });
  paid.on('2026-11-25');
  await rows`update clubs set reserve_cents = 60`;
  await remitToClubs(paid.deps());
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject({
    waitingCents: 0,
    reservedCents: 60,
    toReserveCents: 0,
    onItsWay: [{ amountCents: 30 }],
  });
});

test('an amount released by a lowered reserve is promised for the next run, which pays it', async () => {
  const { rows } = paid.database;
  await paid.gives(90);
  await rows`update clubs set reserve_cents = 60`;
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  await rows`update clubs set reserve_cents = 20`;
  const lowered = { waitingCents: 0, reservedCents: 60, toReserveCents: -40, nextOn: '2026-11-26' };
  expect(await pendingAt('2026-11-25T01:00:00Z')).toMatchObject(lowered);
  paid.on('2026-11-26');
  await remitToClubs(paid.deps());
  expect(payouts()).toEqual([30, 40]);
  expect(await pendingAt('2026-11-26T01:00:00Z')).toMatchObject({ reservedCents: 20, toReserveCents: 0 });
});

test('an amount covered by the reserve is not deducted from a promised repeated payment', async () => {
  const { rows } = paid.database;
  await paid.gives(90);
  const claimed = await paid.gives(20);
  await rows`update clubs set reserve_cents = 60`;
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  const sent = paid.deps().directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '';
  await applyOutcome(paid.deps(), returned(sent, 6));
  await reverse(paid.deps(), claimed);
  const { waitingCents, toReserveCents, nextOn } = await pendingAt('2026-11-25T23:30:00Z');
  expect([waitingCents, toReserveCents, nextOn]).toEqual([30, -20, '2026-11-27']);
  paid.on('2026-11-27');
  await remitToClubs(paid.deps());
  expect(payouts()).toEqual([50, 50]);
});
