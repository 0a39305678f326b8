import { randomUUID } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { legsOf, postNewTransfers, postTransfer, type Transfer } from './post.ts';

const database = ownDatabase();

const aTransfer = (overrides: Partial<Transfer> = {}): Transfer => ({
  supporterId: randomUUID(),
  kind: 'recorded',
  source: randomUUID(),
  clubId: randomUUID(),
  bookedOn: isoDate('2026-11-25'),
  legs: { pledged: cents(100), promised: cents(-100) },
  ...overrides,
});

const post = (transfer: Transfer) => postTransfer(database.bucket, transfer);

async function balances(supporterId: string): Promise<Record<string, number>> {
  const rows = await database.bucket<{ account: string; cents: number }[]>`
    select account, cents from ledger_balances where supporter_id = ${supporterId} and cents <> 0`;
  return Object.fromEntries(rows.map((row) => [row.account, row.cents]));
}

/** Returns the journal's balances, as positive amounts. */
async function journalBalances(supporterId: string): Promise<Record<string, number>> {
  const rows = await database.bucket<{ account: string; cents: number }[]>`
    select account, abs(sum(cents))::bigint as cents from ledger_entries where supporter_id = ${supporterId}
    group by account having sum(cents) <> 0`;
  return Object.fromEntries(rows.map((row) => [row.account, row.cents]));
}

const debit = { amount: cents(145), savings: cents(72), kind: 'round-up' as const };

test('a debit that clears moves from pledged to in flight to cash, split between club and savings', async () => {
  const transfer = aTransfer({ legs: { pledged: cents(145), promised: cents(-145) } });
  const { supporterId } = transfer;
  await post(transfer);
  expect(await balances(supporterId)).toEqual({ pledged: 145, promised: 145 });
  await post({ ...transfer, kind: 'submitted', legs: legsOf.submitted(debit) });
  expect(await balances(supporterId)).toEqual({ in_flight: 145, promised: 145 });
  await post({ ...transfer, kind: 'cleared', legs: legsOf.cleared(debit) });
  expect(await balances(supporterId)).toEqual({ cash: 145, club_payable: 73, savings_payable: 72 });
  await post({ ...transfer, kind: 'reversed', legs: legsOf.reversed(debit) });
  expect(await balances(supporterId)).toEqual({});
});

test('a returned round-up debit is pledged again', async () => {
  const transfer = aTransfer({ legs: { pledged: cents(145), promised: cents(-145) } });
  await post(transfer);
  await post({ ...transfer, kind: 'submitted', legs: legsOf.submitted(debit) });
  await post({ ...transfer, kind: 'returned', legs: legsOf.returned(debit) });
  expect(await balances(transfer.supporterId)).toEqual({ pledged: 145, promised: 145 });
});

test.each(['returned', 'refused'] as const)('a %s donation is no longer promised', async (kind) => {
  const donation = { amount: cents(25_00), savings: cents(0), kind: 'donation' as const };
  const transfer = aTransfer({ kind: 'donation', legs: legsOf.donation(donation) });
  await post(transfer);
  if (kind === 'returned') await post({ ...transfer, kind: 'submitted', legs: legsOf.submitted(donation) });
  await post({ ...transfer, kind, legs: legsOf[kind](donation) });
  expect(await balances(transfer.supporterId)).toEqual({});
});

test('a refused round-up debit moves nothing, as it was never requested', async () => {
  const transfer = aTransfer({ legs: { pledged: cents(145), promised: cents(-145) } });
  await post(transfer);
  await post({ ...transfer, kind: 'refused', legs: legsOf.refused(debit) });
  expect(await balances(transfer.supporterId)).toEqual({ pledged: 145, promised: 145 });
});

test('posting a transfer again changes nothing, even in parallel', async () => {
  const transfer = aTransfer();
  await Promise.all([post(transfer), post(transfer), post(transfer)]);
  await post(transfer);
  expect(await balances(transfer.supporterId)).toEqual({ pledged: 100, promised: 100 });
});

test('a transfer posted as new is refused, with those beside it, where it was posted before', async () => {
  const [known, other] = [aTransfer(), aTransfer()];
  await postNewTransfers(database.bucket, [known]);
  await expect(postNewTransfers(database.bucket, [other, known])).rejects.toThrow('duplicate key');
  expect(await balances(known.supporterId)).toEqual({ pledged: 100, promised: 100 });
  expect(await balances(other.supporterId)).toEqual({});
});

test('legs that do not sum to zero are refused and nothing is posted', async () => {
  const transfer = aTransfer({ legs: { pledged: cents(100), promised: cents(-99) } });
  await expect(post(transfer)).rejects.toThrow('does not sum to zero but to 1');
  expect(await journalBalances(transfer.supporterId)).toEqual({});
});

test('an entry can be neither changed nor removed', async () => {
  await post(aTransfer());
  await expect(database.bucket`update ledger_entries set cents = cents * 2`).rejects.toThrow('append-only');
  await expect(database.bucket`delete from ledger_entries`).rejects.toThrow('append-only');
});

test('the table of entries cannot be truncated', async () => {
  await expect(database.bucket`truncate ledger_entries`).rejects.toThrow('append-only');
});

test.each([
  ['more in flight than was pledged', { kind: 'submitted', legs: legsOf.submitted(debit) }],
  ['more cleared than is in flight', { kind: 'cleared', legs: legsOf.cleared(debit) }],
] as const)('%s is refused', async (_what, next) => {
  const transfer = aTransfer({ legs: { pledged: cents(144), promised: cents(-144) } });
  await post(transfer);
  await expect(post({ ...transfer, ...next })).rejects.toThrow('would fall below zero');
  expect(await balances(transfer.supporterId)).toEqual({ pledged: 144, promised: 144 });
});

test("only a club's account may go below zero, by a reversal after the club was paid", async () => {
  const transfer = aTransfer({ legs: { cash: cents(145), club_payable: cents(-145) } });
  await post(transfer);
  await post({ ...transfer, kind: 'donation', legs: { promised: cents(-145), club_payable: cents(145) } });
  await post({ ...transfer, kind: 'reversed', legs: legsOf.reversed({ ...debit, savings: cents(0) }) });
  expect(await balances(transfer.supporterId)).toEqual({ promised: 145, club_payable: -145 });
});

test('after any history the balances equal the journal and no account is below zero', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(4), fc.boolean()), { maxLength: 8 }),
      async (debits) => {
        const supporterId = randomUUID();
        for (const [amount, outcome, hasSavings] of debits) {
          const debit = {
            amount: cents(amount),
            savings: cents(hasSavings ? Math.floor(amount / 2) : 0),
            kind: 'round-up' as const,
          };
          const transfer = aTransfer({ supporterId, legs: { pledged: cents(amount), promised: cents(-amount) } });
          await post(transfer);
          if (outcome > 0) await post({ ...transfer, kind: 'submitted', legs: legsOf.submitted(debit) });
          if (outcome === 2) await post({ ...transfer, kind: 'returned', legs: legsOf.returned(debit) });
          if (outcome > 2) await post({ ...transfer, kind: 'cleared', legs: legsOf.cleared(debit) });
          if (outcome === 4) await post({ ...transfer, kind: 'reversed', legs: legsOf.reversed(debit) });
        }
        expect(await balances(supporterId)).toEqual(await journalBalances(supporterId));
        const [journalSum] =
          await database.bucket`select coalesce(sum(cents), 0)::bigint as sum from ledger_entries where supporter_id = ${supporterId}`;
        expect(journalSum?.sum).toBe(0);
      },
    ),
    { numRuns: 60 },
  ));
