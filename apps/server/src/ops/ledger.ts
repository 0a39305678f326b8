import { cents, formatCents } from '@sparechange/domain';
import type { Command } from 'commander';
import { type ClubReceivable, listClubReceivables } from '#features/bookkeeping/club-receivables.ts';
import { correctableAccounts, correctLedger } from '#features/bookkeeping/correct-ledger.ts';
import { type PlatformBooks, readPlatformBooks } from '#features/bookkeeping/platform-accounts.ts';
import { CommandProblem, operate } from './operate.ts';

const column = (value: number): string => formatCents(cents(value)).padStart(16);

/** The named figures that an operator looks for when money is missing. */
export function receivableLines(receivables: readonly ClubReceivable[]): string[] {
  const total = receivables.reduce((sum, each) => sum + each.cents, 0);
  if (total === 0) return [];
  const listed = receivables.slice(0, 20).map((each) => `  ${column(each.cents)}  ${each.club} (${each.clubId})`);
  const more = receivables.length > 20 ? [`  and ${receivables.length - 20} more clubs`] : [];
  return [
    `receivable from clubs, claimed back after it was remitted: ${formatCents(cents(total))} of ${receivables.length}`,
    ...listed,
    ...more,
  ];
}

export function booksLines({ closedUntil, balances, heldCents, owedCents, shortfalls }: PlatformBooks): string[] {
  const short = Object.values(shortfalls).reduce((sum, each) => sum + each, 0);
  return [
    `books closed until ${closedUntil ?? 'no day yet'}`,
    ...Object.entries(balances).map(([account, value]) => `  ${column(value)}  ${account}`),
    `held ${formatCents(cents(heldCents))} = owed ${formatCents(cents(owedCents))} less shortfalls ${formatCents(cents(short))}`,
  ];
}

function correctCommand(ledger: Command): void {
  const accounts = correctableAccounts.join(', ');
  const command = ledger
    .command('correct')
    .description(`move an amount from one account to another, once by its id; accounts: ${accounts}`)
    .requiredOption('--id <id>', 'of your own; again with the same id it does nothing')
    .requiredOption('--debit <account>')
    .requiredOption('--credit <account>')
    .requiredOption('--amount <dollars>', 'such as 71.72')
    .requiredOption('--reason <text>', 'kept in the audit log');
  operate(command, async ({ db, clock }, _words, options) => {
    const [debit, credit] = [options.debit, options.credit].map((name) =>
      correctableAccounts.find((each) => each === name),
    );
    if (!debit || !credit || debit === credit)
      throw new CommandProblem(`--debit and --credit take two of ${accounts}.`);
    if (!/^\d{1,9}(\.\d{2})?$/.test(String(options.amount)) || Number(options.amount) === 0)
      throw new CommandProblem('--amount takes dollars such as 71.72, more than 0.');
    const reason = String(options.reason).trim();
    if (!reason) throw new CommandProblem('--reason must say why.');
    const amount = cents(Math.round(Number(options.amount) * 100));
    const result = await correctLedger({ db, clock }, { id: String(options.id), debit, credit, amount, reason });
    if (result === 'another') throw new CommandProblem(`--id ${String(options.id)} stands for another correction.`);
    return {
      json: { result },
      text: `${result}: ${formatCents(amount)} to the debit of ${debit}, credit of ${credit}`,
    };
  });
}

export function ledgerCommands(program: Command): void {
  const ledger = program
    .command('ledger')
    .description("the platform's own accounts: where the money stands, whose it is");
  correctCommand(ledger);
  const show = ledger.command('show').description('every account with its balance at the end of the last closed day');
  operate(show, async ({ db }) => {
    const books = await readPlatformBooks(db);
    const receivables = await listClubReceivables(db);
    const text = [...booksLines(books), ...receivableLines(receivables)].join('\n');
    return { json: { ...books, clubReceivables: receivables }, text };
  });
}
