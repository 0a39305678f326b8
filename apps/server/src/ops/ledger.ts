import { type Cents, formatCents, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { type ClubReceivable, listClubReceivables } from '#features/bookkeeping/club-receivables.ts';
import { type PlatformBooks, readPlatformBooks } from '#features/bookkeeping/platform-accounts.ts';
import { correctCommand, writeOffCommand } from './correct.ts';
import { operate } from './operate.ts';

const column = (value: Cents): string => formatCents(value).padStart(16);

/** Returns what clubs owe, for operators who miss money. */
export function receivableLines(receivables: readonly ClubReceivable[]): string[] {
  const receivable = total(receivables.map(({ cents }) => cents));
  if (receivable === 0) return [];
  const listed = receivables.slice(0, 20).map((each) => `  ${column(each.cents)}  ${each.club} (${each.clubId})`);
  const more = receivables.length > 20 ? [`  and ${receivables.length - 20} more clubs`] : [];
  return [
    `clubs owe ${formatCents(receivable)} (${counted(receivables.length, 'club')}): debits reversed or refunded after they had been remitted`,
    ...listed,
    ...more,
  ];
}

export function booksLines({ closedUntil, balances, heldCents, owedCents, shortfalls }: PlatformBooks): string[] {
  const short = total(Object.values(shortfalls));
  return [
    `books closed until ${closedUntil ?? 'no day yet'}`,
    ...Object.entries(balances).map(([account, value]) => `  ${column(value)}  ${account}`),
    `held at the bank ${formatCents(heldCents)} = owed to clubs and supporters ${formatCents(owedCents)} less shortfalls ${formatCents(short)}`,
  ];
}

export function ledgerCommands(program: Command): void {
  const ledger = program
    .command('ledger')
    .description("the platform's own accounts: where the money stands, whose it is");
  correctCommand(ledger);
  writeOffCommand(ledger);
  const show = ledger.command('show').description('every account with its balance at the end of the last closed day');
  operate(show, async ({ db }) => {
    const books = await readPlatformBooks(db);
    const receivables = await listClubReceivables(db);
    const text = [...booksLines(books), ...receivableLines(receivables)].join('\n');
    return { json: { ...books, clubReceivables: receivables }, text };
  });
}
