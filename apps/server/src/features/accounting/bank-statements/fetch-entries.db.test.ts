import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { readDay } from '#features/accounting/bookkeeping/reconciled-day.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import type { ProviderAccount } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeFloat } from '#testing/fake-float.ts';
import { returned } from '#testing/makers.ts';
import { aReconciledPayout } from '#testing/reconciled-payout.ts';
import { type EntryDeps, fetchEntries } from './fetch-entries.ts';
import { matchByHand } from './match-by-hand.ts';
import { listLines } from './statement-line-repository.ts';
import { takeBackStatement } from './take-back.ts';

const database = emptiedDatabase();
const by = { kind: 'operating_system', id: 'robin' } as const;

/** A payout of two debits on Wed 25 Nov 2026, now Fri 27 Nov, with our account kept by the provider. */
async function aFloat() {
  const { deps, clock, directDebit } = await aReconciledPayout(database.pool, [41, 30]);
  const float = fakeFloat(directDebit.taken);
  await closeAndRollUp(database.pool, isoDate('2026-11-26'));
  return { float, clock, directDebit, deps: withAccounts(deps, float.account) };
}

const withAccounts = <Deps extends EntryDeps>(deps: Deps, ...accounts: ProviderAccount[]) => ({
  ...deps,
  by,
  directDebit: { ...deps.directDebit, accounts: async () => accounts },
});

const lines = async () =>
  (await listLines(database.pool, false, 50)).map(({ bookedOn, cents, matchedKind }) => [bookedOn, cents, matchedKind]);
const alarms = () => database.rows<{ name: string; about: string; sentence: string }[]>`
  select name, about, sentence from alarms where name like 'provider_entries%' order by raised_at, about`;
const balance = async () => (await readPlatformBooks(database.pool)).balances.trust_bank;
const violations = async () => (await auditBooks(database.pool)).violations;

test('entries of debits, payouts and returns are matched, and fetched again they change nothing', async () => {
  const { deps, directDebit, clock } = await aFloat();
  expect(await fetchEntries(deps)).toEqual({ added: 3, daysLeft: 0 });
  clock.setTo('2026-11-29T22:00:00Z');
  const late = directDebit.taken.find(({ kind }) => kind === 'debit');
  directDebit.return(late?.id ?? '', 6);
  await applyOutcome(deps, returned(late?.providerRef ?? '', 6));
  clock.setTo('2026-11-30T22:00:00Z');
  expect(await fetchEntries(deps)).toEqual({ added: 1, daysLeft: 0 });
  expect(await fetchEntries(deps)).toEqual({ added: 0, daysLeft: 0 });
  expect(await lines()).toEqual([
    ['2026-11-30', -41, 'claim'],
    ['2026-11-25', -71, 'payout'],
    ['2026-11-24', 41, 'collection'],
    ['2026-11-24', 30, 'collection'],
  ]);
  expect([await balance(), await alarms(), await violations()]).toEqual([-41, [], []]);
});

test('a cent that no payment explains is named the same night, and differs on its day until somebody explains it', async () => {
  const { float, deps } = await aFloat();
  float.book('2026-11-26T02:00:00Z', -1, 'Manual adjustment');
  expect(await fetchEntries(deps)).toMatchObject({ added: 4 });
  expect(await alarms()).toEqual([
    {
      name: 'provider_entries_unexplained',
      about: '2026-11-26',
      sentence:
        'Float Account has one entry of -$0.01 on Thu 26 Nov that no payment explains: Manual adjustment. Match it by hand, or ask the provider.',
    },
  ]);
  const day = () => readDay(database.pool, isoDate('2026-11-26'));
  expect((await day()).comparison).toMatchObject({ state: 'differs', differenceCents: 1, differing: 1 });
  const [line] = await listLines(database.pool, true, 1);
  const hand = { account: line?.account ?? '', lineId: line?.lineId ?? '', to: 'fees', reason: 'a fee' } as const;
  expect(await matchByHand(deps, hand)).toBe('matched');
  expect((await day()).comparison.state).toBe('agrees');
  expect([await balance(), await violations()]).toEqual([-1, []]);
});

test('a day without one of its entries is not imported, nor are later days, until the list is whole', async () => {
  const { float, deps, clock } = await aFloat();
  for (const hour of [1, 2, 3]) float.book(`2026-11-26T0${hour}:00:00Z`, -10 * hour, `Fee ${hour}`);
  float.book('2026-11-27T02:00:00Z', 500, 'Top-up');
  float.hide('FEFee 2');
  clock.setTo('2026-11-27T22:00:00Z');
  expect(await fetchEntries(deps)).toEqual({ added: 3, daysLeft: 0 });
  expect(await alarms()).toMatchObject([
    {
      name: 'provider_entries_missing',
      sentence: expect.stringContaining('of Thu 26 Nov were not imported. An entry is missing'),
    },
  ]);
  float.show();
  expect(await fetchEntries(deps)).toEqual({ added: 4, daysLeft: 0 });
  expect([await balance(), await violations()]).toEqual([440, []]);
});

test('an account that does not answer stops no other, and the night is tried again', async () => {
  const { float, deps } = await aFloat();
  const silent: ProviderAccount = {
    name: 'Other',
    number: '802919111',
    // biome-ignore lint/correctness/useYield: it fails before its first entry
    async *entries() {
      throw new ProviderUnavailable('Zepto does not answer.');
    },
  };
  await expect(fetchEntries(withAccounts(deps, silent, float.account))).rejects.toThrow('Zepto does not answer.');
  expect(await lines()).toHaveLength(3);
  expect(await alarms()).toEqual([]);
});

const takeBackDay = async (deps: EntryDeps & { by: typeof by }, day: string) => {
  const [found] = await database.rows<{ id: string }[]>`select id from bank_statements where fetched_day = ${day}`;
  return takeBackStatement(deps, found?.id ?? '');
};

test('days taken back in the middle are fetched again the next night, oldest first, before the days that follow', async () => {
  const { float, deps, clock } = await aFloat();
  for (const day of [26, 27, 28, 29]) float.book(`2026-11-${day}T02:00:00Z`, -day, `Fee ${day}`);
  clock.setTo('2026-11-28T22:00:00Z');
  expect(await fetchEntries(deps)).toEqual({ added: 6, daysLeft: 0 });
  const before = [await lines(), await balance()];
  expect(await takeBackDay(deps, '2026-11-27')).toMatchObject({ lines: 1, fetchedDay: '2026-11-27' });
  await takeBackDay(deps, '2026-11-25');
  await takeBackDay(deps, '2026-11-28');
  expect(await lines()).toHaveLength(3);
  expect(await fetchEntries(deps)).toEqual({ added: 3, daysLeft: 0 });
  expect([await lines(), await balance()]).toEqual(before);
  await takeBackDay(deps, '2026-11-26');
  float.hide('FEFee 26');
  float.book('2026-11-26T03:00:00Z', -1, 'Fee of the day');
  clock.setTo('2026-11-29T22:00:00Z');
  expect(await fetchEntries(deps)).toMatchObject({ added: 0 });
  expect((await alarms()).at(-1)?.sentence).toContain('of Thu 26 Nov were not imported.');
  float.show();
  expect(await fetchEntries(deps)).toEqual({ added: 3, daysLeft: 0 });
  expect(await fetchEntries(deps)).toEqual({ added: 0, daysLeft: 0 });
  expect([await balance(), await violations()]).toEqual([-111, []]);
});

test('a day taken back that has no entries any more is asked for once', async () => {
  const { float, deps } = await aFloat();
  float.book('2026-11-26T02:00:00Z', -5, 'Fee');
  await fetchEntries(deps);
  await takeBackDay(deps, '2026-11-26');
  float.hide('FEFee');
  expect(await fetchEntries(deps)).toEqual({ added: 0, daysLeft: 0 });
  expect(await database.rows`select day from bank_statement_days_taken_back`).toEqual([]);
});

test('a day taken back comes again the next night, with the same books', async () => {
  const { deps } = await aFloat();
  await fetchEntries(deps);
  const before = [await lines(), await balance()];
  const [last] = await database.rows<
    { id: string }[]
  >`select id from bank_statements order by imported_at desc, id desc limit 1`;
  await takeBackStatement(deps, last?.id ?? '');
  expect(await lines()).toHaveLength(2);
  expect(await fetchEntries(deps)).toEqual({ added: 1, daysLeft: 0 });
  expect([await lines(), await balance()]).toEqual(before);
  expect(await violations()).toEqual([]);
});
