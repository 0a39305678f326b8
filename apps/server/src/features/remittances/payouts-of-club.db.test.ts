import { expect, test } from 'vitest';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { returned } from '#testing/makers.ts';
import { paidClub } from '#testing/paid-club.ts';
import { listPayouts, readPendingPayouts } from './payouts-of-club.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const paid = paidClub();
const pendingAt = (at: string) => readPendingPayouts(paid.database.pool, paid.id(), new Date(at));
const list = (page: { after?: string; limit?: number; year?: number } = {}) =>
  listPayouts(paid.database.pool, { clubId: paid.id(), year: 2026, limit: 50, ...page });

test('what is still to come is on its way, or goes out with the next run', async () => {
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

test('payouts of a financial year are listed page by page, the newest first', async () => {
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
  for (const after of ['nothing', '2026-13-45.1', '0000-01-01.1'])
    await expect(list({ after })).rejects.toThrow('The page is not known.');
});

test('one that did not arrive says what follows', async () => {
  await paid.gives(50);
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  const sent = paid.deps().directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '';
  await applyOutcome(paid.deps(), returned(sent, 6));
  expect((await list()).rows).toMatchObject([{ state: 'returned', isPaidAgain: false, retryOn: '2026-11-26' }]);
});
