import { cents, isoDate } from '@sparechange/domain';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { resubmitPayments } from '#features/accounting/payments/decide-payment.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { donatedTotal } from '#features/collections/history/history-repository.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { listGifts } from '#features/supporters/receipts/receipt-repository.ts';
import { inBucketOf } from '#testing/database.ts';
import { aClub, aSupporter, cleared, returned, type TestSupporter } from '#testing/makers.ts';
import { aClearedDebit, balancesOf, setBankDetails } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { planRepayment } from './plan-repayment.ts';
import { repaymentKind } from './repayment-kind.ts';
import { watchRepayments } from './watch-repayments.ts';

const { database, clock, directDebit, deps } = ownPayments({ ...forgetful, buckets: 4 });
let clubId: string;
beforeEach(async () => {
  clock.setTo('2026-11-24T00:00:00Z');
  clubId = await aClub(database.pool);
  await setBankDetails(database.pool, clubId, '12345678');
});
const healthy = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);
const reconciled = async () =>
  expect(await reconcilePayments(deps())).toMatchObject({ missingHere: 0, missingThere: 0, behind: 0, different: 0 });

async function aDebit(amount: number, savings = false) {
  const supporter = await aSupporter(database.pool, { clubId, directDebit, savings });
  const debitRef = await aClearedDebit(deps(), supporter, amount);
  const [debit] = await database.rows<{ id: string }[]>`select id from debits where provider_ref = ${debitRef}`;
  directDebit.clear(directDebit.taken.find(({ providerRef }) => providerRef === debitRef)?.id ?? '');
  return { supporter, debitRef, debitId: debit?.id ?? '' };
}
async function refund(
  { supporter, debitId }: { supporter: TestSupporter; debitId: string },
  overrides: { amount?: number; requestId?: string } = {},
) {
  const amount = overrides.amount === undefined ? undefined : cents(overrides.amount);
  const { supporterId } = supporter;
  const planned = await planRepayment(deps(), {
    ...overrides,
    supporterId,
    debitId,
    amount,
    reason: 'a mistake',
  });
  const sent = await submitPayouts(deps(), repaymentKind);
  return { ...planned, sent };
}
const payouts = () => directDebit.taken.filter(({ reference }) => reference.startsWith('RF'));
const lastRef = () => payouts().at(-1)?.providerRef ?? '';
const clubCents = async () => {
  const [row] = await database.rows<{ cents: number }[]>`
    select coalesce(sum(cents), 0)::bigint as cents from ledger_balances where account = 'club_payable'`;
  return row?.cents;
};
const mails = async () =>
  (await database.rows<{ facts: { kind: string } }[]>`select facts from mails`).filter(
    ({ facts }) => facts.kind === 'debit_refunded',
  );

test('a debit is repaid once, however often it is requested: club, savings, history, receipt and email show it', async () => {
  const one = await aDebit(91, true);
  expect(await refund(one)).toMatchObject({ isNew: true, leftCents: 0, sent: { submitted: 1, totalCents: 91 } });
  expect(await refund(one)).toMatchObject({ isNew: false });
  expect(payouts()).toMatchObject([{ amount: 91, remitter: 'SPARECHANGE' }]);
  expect(await balancesOf(database.pool, one.supporter)).toEqual({ cash: 91, repaying: 91 });
  directDebit.clear(payouts()[0]?.id ?? '');
  for (let time = 0; time < 2; time += 1) await applyOutcome(deps(), cleared(lastRef()));
  expect(await balancesOf(database.pool, one.supporter)).toEqual({ cash: 91, repaid: 91 });
  expect(await clubCents()).toBe(0);
  expect(await mails()).toMatchObject([{ facts: { amountCents: 91, debit: 'round-up' } }]);
  expect((await donatedTotal(database.pool.of(one.supporter.supporterId), one.supporter.supporterId, null)).cents).toBe(
    0,
  );
  const gifts = await listGifts(
    database.pool.of(one.supporter.supporterId),
    one.supporter.supporterId,
    isoDate('2026-11-01'),
    isoDate('2026-11-30'),
  );
  expect(gifts.map(({ kind, cents, savingsCents }) => [kind, cents, savingsCents])).toEqual([
    ['round-ups', 46, 45],
    ['refunded', -46, -45],
  ]);
  clock.setTo('2026-11-25T00:00:00Z');
  expect(await remitToClubs(deps())).toMatchObject({ clubs: 0 });
  clock.setTo('2026-12-01T00:00:00Z');
  expect(await depositSavings(deps())).toMatchObject({ deposits: 0 });
  await reconciled();
});

test('parts are repaid up to the debited amount; the same part twice only under another id', async () => {
  const one = await aDebit(91, true);
  expect(await refund(one, { amount: 30 })).toMatchObject({ isNew: true, leftCents: 61 });
  expect(await refund(one, { amount: 30 })).toMatchObject({ isNew: false, leftCents: 61 });
  expect(await refund(one, { amount: 30, requestId: 'again' })).toMatchObject({ isNew: true, leftCents: 31 });
  await expect(refund(one, { amount: 32 })).rejects.toThrow('$0.31 can still be given back');
  await expect(refund(one, { amount: 10, requestId: 'again' })).rejects.toThrow('another amount');
  expect(await refund(one)).toMatchObject({ isNew: true, leftCents: 0 });
  expect(payouts().map(({ amount }) => amount)).toEqual([30, 30, 31]);
  expect(await balancesOf(database.pool, one.supporter)).toEqual({ cash: 91, repaying: 91 });
});

test('concurrent requests repay once', async () => {
  const one = await aDebit(91);
  const planned = await Promise.all([refund(one), refund(one), refund(one)]);
  expect(planned.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(payouts()).toHaveLength(1);
});

test('a debit not cleared, already claimed or without an account is refused with the reason', async () => {
  const one = await aDebit(91);
  await database.rows`update debits set state = 'submitted' where id = ${one.debitId}`;
  await expect(refund(one)).rejects.toThrow('only one that has cleared');
  await database.rows`update debits set state = 'cleared' where id = ${one.debitId}`;
  await database.rows`update accounts set bsb_encrypted = null`;
  await expect(refund(one)).rejects.toThrow('is no longer known');
  await applyOutcome(deps(), returned(one.debitRef, 2));
  await expect(refund(one)).rejects.toThrow('was taken back');
});

test('a club that was already remitted owes the refund as a receivable', async () => {
  const one = await aDebit(91);
  clock.setTo('2026-11-25T00:00:00Z');
  expect(await remitToClubs(deps())).toMatchObject({ clubs: 1, totalCents: 91 });
  await refund(one);
  await applyOutcome(deps(), cleared(lastRef()));
  await closeAndRollUp(database.pool, isoDate('2026-11-25'));
  const rows = await database.rows<{ cents: number }[]>`
    select cents from platform_balances where account = 'receivable_from_club' and club_id = ${clubId}`;
  expect(rows).toMatchObject([{ cents: 91 }]);
});

test.each([
  ['refused', 'refused'],
  ['cleared', 'reversed'],
] as const)(
  'a refund that is %s and fails (%s) is the club’s again, alarmed, and may be retried',
  async (first, state) => {
    const one = await aDebit(91, true);
    if (first === 'refused') directDebit.failNext('refused');
    await refund(one);
    if (first === 'cleared') {
      await applyOutcome(deps(), cleared(lastRef()));
      for (let time = 0; time < 2; time += 1) await applyOutcome(deps(), returned(lastRef(), 5));
    }
    expect(await balancesOf(database.pool, one.supporter)).toEqual({ cash: 91, club_payable: 46, savings_payable: 45 });
    const [row] = await database.rows<{ state: string }[]>`select state from repayments`;
    expect(row?.state).toBe(state);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    for (let time = 0; time < 2; time += 1) await watchRepayments({ ...deps(), log });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('repayment_failed');
    await healthy();
    expect(await refund(one)).toMatchObject({ isNew: true, leftCents: 0 });
  },
);

test('a claim long after the refund arrived also raises an alarm', async () => {
  const one = await aDebit(91, true);
  await refund(one, { amount: 60 });
  await applyOutcome(deps(), cleared(lastRef()));
  clock.setTo(new Date(clock.now().getTime() + 40 * 86_400_000).toISOString());
  await applyOutcome(deps(), returned(one.debitRef, 2));
  const lines: string[] = [];
  await watchRepayments({ ...deps(), log: pino({}, { write: (line: string) => void lines.push(line) }) });
  expect(lines[0]).toContain('repaid_debit_claimed');
});

test('a claim on a refunded debit is the payer’s debt, raises an alarm, and is never the club’s second loss', async () => {
  const one = await aDebit(91, true);
  await refund(one, { amount: 60 });
  await applyOutcome(deps(), cleared(lastRef()));
  expect(await applyOutcome(deps(), returned(one.debitRef, 2))).toBe('reversed');
  expect(await balancesOf(database.pool, one.supporter)).toEqual({ receivable_from_payer: 60, repaid: 60 });
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await watchRepayments({ ...deps(), log });
  expect(lines[0]).toContain('repaid_debit_claimed');
  clock.setTo('2026-11-26T00:00:00Z');
  await closeAndRollUp(database.pool, isoDate('2026-11-25'));
  const [owed] = await database.rows<{ cents: number }[]>`
    select cents from platform_balances where account = 'receivable_from_payer'`;
  expect(owed?.cents).toBe(60);
  await healthy();
  await applyOutcome(deps(), returned(lastRef(), 5));
  expect(await balancesOf(database.pool, one.supporter)).toEqual({});
});

test('a refund that had not left when the debit was claimed is withdrawn, without an alarm', async () => {
  const one = await aDebit(91, true);
  const { supporterId } = one.supporter;
  await planRepayment(inBucketOf(deps(), supporterId), { supporterId, debitId: one.debitId, reason: 'a mistake' });
  await applyOutcome(deps(), returned(one.debitRef, 2));
  await resubmitPayments(deps());
  expect(payouts()).toEqual([]);
  expect(await balancesOf(database.pool, one.supporter)).toEqual({});
  const lines: string[] = [];
  await watchRepayments({ ...deps(), log: pino({}, { write: (line: string) => void lines.push(line) }) });
  expect(lines).toEqual([]);
});

test('a refund left behind by a crash is sent with the next minute, and one without an answer is not sent twice', async () => {
  const one = await aDebit(91);
  const { supporterId } = one.supporter;
  await planRepayment(inBucketOf(deps(), supporterId), { supporterId, debitId: one.debitId, reason: 'a mistake' });
  directDebit.failNext('time-out after effect');
  await resubmitPayments(deps());
  clock.setTo('2026-11-24T02:00:00Z');
  await resubmitPayments(deps());
  expect(payouts()).toHaveLength(1);
  expect(await mails()).toHaveLength(1);
});

test('a refund whose answer was lost is found at the provider although the account has been deleted', async () => {
  const one = await aDebit(91);
  const { supporterId } = one.supporter;
  await planRepayment(inBucketOf(deps(), supporterId), { supporterId, debitId: one.debitId, reason: 'a mistake' });
  directDebit.failNext('time-out after effect');
  await resubmitPayments(deps());
  await database.rows`delete from accounts where supporter_id = ${supporterId}`;
  clock.setTo('2026-11-24T02:00:00Z');
  await resubmitPayments(deps());
  expect(payouts()).toHaveLength(1);
  expect(await database.rows`select state from repayments where supporter_id = ${supporterId}`).toEqual([
    { state: 'submitted' },
  ]);
});
