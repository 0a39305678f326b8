import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Cents, cents, type IsoDate, noCents, parseDollars } from '@sparechange/domain';
import { parse } from 'csv-parse/sync';
import type { Db } from '#db/connect.ts';
import { clubPart, journalAccount, ledgerNames } from '#features/accounting/journal/journal-accounts.ts';

const run = promisify(execFile);

/** Balances other than zero, by month and account, as in "2026-11 Assets:Platform:Trust-Bank". */
export type MonthlyBalances = Record<string, Cents>;

export const journalPrograms = { hledger: 'hledger', ledger: 'ledger', 'bean-query': 'beancount' };
export type JournalProgram = keyof typeof journalPrograms;

/** Lists months from the first to the last, as in 2026-11. */
export function monthsOf({ from, to }: { from: IsoDate; to: IsoDate }): string[] {
  const months = [from.slice(0, 7)];
  for (let last = from.slice(0, 7); last < to.slice(0, 7); months.push(last)) last = monthAfter(last);
  return months;
}

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
};

/** Adds up changes of months; a month keeps the balances of the one before. */
function addedUp(months: string[], changes: { month: string; account: string; cents: number }[]): MonthlyBalances {
  const balances: MonthlyBalances = {};
  for (const month of months)
    for (const change of changes)
      if (change.month <= month) {
        const key = `${month} ${change.account}`;
        balances[key] = cents((balances[key] ?? noCents) + change.cents);
      }
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0));
}

/** Sums the ledgers of the database, through a handle that reads all buckets. */
export async function balancesOfBooks(rows: Db, days: { from: IsoDate; to: IsoDate }): Promise<MonthlyBalances> {
  const clubs = new Map(
    (await rows<{ id: string; slug: string }[]>`select id, slug from clubs`).map(({ id, slug }) => [
      id,
      clubPart(id, slug),
    ]),
  );
  const tables = {
    supporters: rows`
      select booked_on, account::text, cents, case when account = 'club_payable' then club_id end as club
      from ledger_entries`,
    clubs: rows`select booked_on, account::text, cents, club_id as club from club_entries`,
    platform: rows`
      select booked_on, account::text, cents, case when account = 'receivable_from_club' then club_id end as club
      from platform_entries`,
  };
  const changes = [];
  for (const ledger of ledgerNames) {
    const sums = await rows<{ month: string; account: string; club: string | null; cents: Cents }[]>`
      select to_char(booked_on, 'YYYY-MM') as month, account, club, sum(cents)::bigint as cents
      from (${tables[ledger]}) as entry where booked_on <= ${days.to} group by 1, 2, 3`;
    for (const { month, account, club, cents } of sums)
      changes.push({ month, account: journalAccount(ledger, account, clubs.get(club ?? '')), cents });
  }
  return addedUp(monthsOf(days), changes);
}

const centsOf = (text = ''): Cents => {
  const amount = parseDollars(text.replace(/ *AUD$/, ''));
  if (amount === undefined) throw new Error(`${text} is not an amount of two decimals`);
  return amount;
};

/** Long enough for some hundred thousand transactions. */
const options = { maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: 'C' } };

/** Returns the balances of a journal as a program reads them; throws where it finds the journal wrong. */
export const balancesBy: Record<
  JournalProgram,
  (path: string, file: string, days: { from: IsoDate; to: IsoDate }) => Promise<MonthlyBalances>
> = {
  hledger: async (path, file, days) => {
    const args = ['-f', file, 'balance', '--flat', '-N', '-E', '-H', '-M', '-O', 'csv'];
    const [head = [], ...rows] = parse((await run(path, args, options)).stdout) as string[][];
    const balances: MonthlyBalances = {};
    const columns = new Map(head.map((month, column) => [month, column]));
    for (const month of monthsOf(days)) {
      const known = [...columns.keys()].filter((each) => /^\d{4}-\d\d$/.test(each) && each <= month).at(-1) ?? '';
      for (const row of rows) {
        const amount = centsOf(row[columns.get(known) ?? -1]);
        if (amount !== 0) balances[`${month} ${row[0]}`] = amount;
      }
    }
    return balances;
  },
  ledger: async (path, file, days) => {
    const balances: MonthlyBalances = {};
    for (const month of monthsOf(days)) {
      const format = '%(account)\\t%(quantity(display_total))\\n';
      const args = ['-f', file, 'balance', '--flat', '--no-total', '-e', `${monthAfter(month)}-01`, '--format', format];
      for (const line of (await run(path, args, options)).stdout.split('\n').filter(Boolean)) {
        const [account = '', amount] = line.split('\t');
        balances[`${month} ${account}`] = centsOf(amount);
      }
    }
    return balances;
  },
  'bean-query': async (path, file, days) => {
    const query = 'select account, year, month, sum(number) as total group by account, year, month';
    const { stdout, stderr } = await run(path, ['-f', 'csv', file, query], options);
    if (stderr) throw new Error(stderr);
    const [, ...rows] = parse(stdout, { trim: true }) as string[][];
    const changes = rows.map(([account = '', year, month = '', amount]) => ({
      month: `${year}-${month.padStart(2, '0')}`,
      account,
      cents: centsOf(amount),
    }));
    return addedUp(monthsOf(days), changes);
  },
};
