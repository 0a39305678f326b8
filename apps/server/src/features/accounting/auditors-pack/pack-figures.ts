import { addDays, type Cents } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { platformAccounts } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { journalAccount } from '#features/accounting/journal/journal-accounts.ts';
import { sumUntil } from '#features/accounting/journal/journal-repository.ts';
import type { JournalDays } from '#features/accounting/journal/write-journal.ts';
import type { LedgerAccount, TransferKind } from '#features/core/ledger/post.ts';
import { movedBySupporters, movedToClubs, payoutsByState, receiptTotals } from './pack-repository.ts';

/** A sum of our database, and the command that finds it in the pack. */
export interface PackFigure {
  name: string;
  cents: Cents;
  command: string;
}

const ofSupporters: { name: string; account: LedgerAccount; kinds: TransferKind[]; title: string }[] = [
  { name: 'Debits that cleared', account: 'cash', kinds: ['cleared'], title: 'Debit cleared' },
  { name: 'Debits that banks took back', account: 'cash', kinds: ['reversed'], title: 'Debit reversed' },
  {
    name: 'Refunds that arrived (a credit)',
    account: 'repaid',
    kinds: ['repayment_cleared', 'repayment_reversed'],
    title: 'Refund',
  },
  {
    name: 'Savings that arrived (a credit)',
    account: 'savings_deposited',
    kinds: ['deposit_cleared', 'deposit_reversed'],
    title: 'Savings deposit',
  },
];

/** A balance with one line, or none where it is nothing. */
const hledger = (file: string, ...words: string[]): string => `hledger -f ${file} balance -N ${words.join(' ')}`;

/** Sums the database for an auditor, each with the command that has to find the same. */
export async function readFigures(db: Pool, days: JournalDays): Promise<PackFigure[]> {
  const inBooks = (account: string, ...words: string[]) =>
    hledger('books.journal', '--depth 3', ...words, `'^${account}'`);
  const within = [`-b ${days.from}`, `-e ${addDays(days.to, 1)}`];
  const figures: PackFigure[] = [];
  for (const { name, account, kinds, title } of ofSupporters)
    figures.push({
      name,
      cents: await movedBySupporters(db, days, account, kinds),
      command: inBooks(journalAccount('supporters', account), ...within, `'desc:${title}'`),
    });
  figures.push({
    name: 'Payouts that arrived, less those that came back (a credit)',
    cents: await movedToClubs(db, days),
    command: inBooks(journalAccount('clubs', 'remitted'), ...within),
  });
  for (const account of platformAccounts)
    figures.push({
      name: `Balance of ${account} on ${days.to}`,
      cents: await sumUntil(db, account, days.to),
      command: inBooks(journalAccount('platform', account)),
    });
  return [...figures, ...(await payoutFigures(db, days)), ...(await receiptFigures(db, days))];
}

const payoutFigures = async (db: Pool, days: JournalDays): Promise<PackFigure[]> =>
  (await payoutsByState(db, days)).map(({ state, cents }) => ({
    name: `Payouts of these days that are ${state} today`,
    cents,
    command: hledger('payouts.csv', `'^payouts:${state}$'`),
  }));

const receiptFigures = async (db: Pool, days: JournalDays): Promise<PackFigure[]> =>
  (await receiptTotals(db, days)).flatMap(({ kind, firstDay, totalCents, deductibleCents }) =>
    (
      [
        ['total', totalCents],
        ['deductible', deductibleCents],
      ] as const
    ).map(([name, cents]) => ({
      name: `Receipts of the ${kind} from ${firstDay}: ${name}`,
      cents,
      command: hledger('receipts.csv', `'^${name}:${kind}$'`, `date:${firstDay}`),
    })),
  );
