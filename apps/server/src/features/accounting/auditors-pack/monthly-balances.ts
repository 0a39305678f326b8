import {
  add,
  addDays,
  csv,
  dollars,
  type IsoDate,
  lastDayOf,
  monthStart,
  noCents,
  textCell,
} from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { ledgerNames } from '#features/accounting/journal/journal-accounts.ts';
import { listJournalClubs, sumAccounts } from '#features/accounting/journal/journal-repository.ts';
import { accountNames, type JournalDays } from '#features/accounting/journal/write-journal.ts';

const head = csv([['month', 'account', 'balance']]);

/** Writes the balance of every account at the end of each month as CSV, a month at a time. */
export async function* monthlyBalances(db: Pool, { from, to }: JournalDays): AsyncGenerator<string> {
  const nameOf = accountNames(await listJournalClubs(db));
  const balances = new Map<string, ReturnType<typeof add>>();
  const addSumsOf = async (days: { from: IsoDate | null; to: IsoDate }) => {
    for (const ledger of ledgerNames)
      for (const sum of await sumAccounts(db, ledger, days)) {
        const name = nameOf(ledger, sum);
        balances.set(name, add(balances.get(name) ?? noCents, sum.cents));
      }
  };
  yield head;
  await addSumsOf({ from: null, to: addDays(from, -1) });
  for (let first = from; first <= to; ) {
    const end = lastDayOf(monthStart(first));
    const last = end < to ? end : to;
    await addSumsOf({ from: first, to: last });
    const rows = [...balances].filter(([, cents]) => cents !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
    yield csv(rows.map(([name, cents]) => [last.slice(0, 7), textCell(name), dollars(cents)]));
    first = addDays(last, 1);
  }
}
