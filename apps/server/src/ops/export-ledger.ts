import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fullDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { findFirstBookedDay, type JournalDays, writeJournal } from '#features/accounting/journal/write-journal.ts';
import { findRolledUpUntil } from '#features/core/ledger/booking-day.ts';
import type { Runtime } from '#runtime/compose.ts';
import type { CommandLine } from './command-entry.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption, financialYearOption } from './read-options.ts';
import { showProgress } from './show-progress.ts';

/** Returns the days asked for, no later than the last closed day. Throws CommandProblem where none is closed. */
export async function closedDaysOf({ db }: Runtime, options: CommandLine['options']): Promise<JournalDays> {
  const { year, from, to } = options;
  if (year !== undefined && (from !== undefined || to !== undefined))
    throw new CommandProblem('Give either --year, or --from and --to.');
  const closed = await findRolledUpUntil(db);
  const first = await findFirstBookedDay(db);
  if (!closed || !first || first > closed) throw new CommandProblem('No day of the books is closed yet.');
  const wanted = typeof year === 'string' ? financialYearOption(year) : undefined;
  const lastDay = typeof to === 'string' ? dayOption(to) : closed;
  if (lastDay > closed) throw new CommandProblem(`The books are closed until ${closed}; --to takes no later day.`);
  const asked = wanted ?? { from: typeof from === 'string' ? dayOption(from) : first, to: lastDay };
  const days = { from: asked.from < first ? first : asked.from, to: asked.to > closed ? closed : asked.to };
  if (days.from > days.to)
    throw new CommandProblem(`No such day is in the books, which are closed from ${first} until ${closed}.`);
  return days;
}

/** Writes a file that only its owner reads, under its own name once it is whole. */
async function writeWhole(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function print(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    throw new CommandProblem('The journal was not read to its end.');
  }
}

/** Adds `ledger export`: the books as a journal for other programs. */
export function exportCommand(ledger: OpsCommand): void {
  ledger
    .command('export')
    .description('write the entries of closed days, after their opening balances; all days by default')
    .requiredOption(
      '--journal [file]',
      'a plain-text journal that beancount, ledger and hledger read; without a file it is printed',
    )
    .option('--year <year>', 'a financial year: 2026-27, or 2026 for the one that begins then')
    .option('--from <day>', 'YYYY-MM-DD')
    .option('--to <day>', 'YYYY-MM-DD, the last day included')
    .carryOut(async (runtime, _words, options) => {
      const { journal } = options;
      if (options.json && typeof journal !== 'string') throw new CommandProblem('--json goes with --journal FILE.');
      const days = await closedDaysOf(runtime, options);
      let transactions = 0;
      const pieces = writeJournal(runtime.db, days, (written) => {
        transactions = written.transactions;
        showProgress(`${written.day}: ${counted(transactions, 'transaction')} …`);
      });
      await (typeof journal === 'string' ? writeWhole(journal, pieces) : print(pieces));
      showProgress('');
      const words = `${counted(transactions, 'transaction')} of ${fullDay(days.from)} to ${fullDay(days.to)}`;
      return typeof journal === 'string'
        ? { json: { ...days, transactions, file: journal }, text: `${journal}: ${words}` }
        : { json: {}, text: `; ${words}` };
    });
}
