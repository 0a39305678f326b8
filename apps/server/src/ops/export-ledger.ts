import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fullDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type PlatformAccount, platformAccounts } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { writeAccountStatement } from '#features/accounting/journal/write-account-statement.ts';
import { findFirstBookedDay, type JournalDays, writeJournal } from '#features/accounting/journal/write-journal.ts';
import { findRolledUpUntil } from '#features/core/ledger/booking-day.ts';
import type { Runtime } from '#runtime/compose.ts';
import type { CommandLine } from './command-entry.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption, financialYearOption } from './read-options.ts';
import { progress } from './show-progress.ts';
import { writeWhole } from './write-whole.ts';

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

async function print(pieces: AsyncIterable<string>): Promise<void> {
  if (process.stdout.isTTY) progress.end(); // the export has the screen to itself
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    throw new CommandProblem('The export was not read to its end.');
  }
}

/** An export's form and file; true for standard output. */
interface Wanted {
  format: 'journal' | 'ofx' | 'camt053';
  file: string | true;
  account: PlatformAccount;
}

function wantedOf(options: CommandLine['options']): Wanted {
  const formats = (['journal', 'ofx', 'camt053'] as const).filter((each) => options[each] !== undefined);
  const [format] = formats;
  if (!format || formats.length > 1) throw new CommandProblem('Give one of --journal, --ofx and --camt053.');
  const file = typeof options[format] === 'string' ? options[format] : true;
  if (options.json && file === true) throw new CommandProblem(`--json goes with --${format} FILE.`);
  if (format === 'journal' && options.account !== undefined)
    throw new CommandProblem('--account goes with --ofx or --camt053; a journal has all accounts.');
  const account = platformAccounts.find((each) => each === (options.account ?? 'trust_bank'));
  if (!account) throw new CommandProblem(`--account takes one of ${platformAccounts.join(', ')}.`);
  return { format, file, account };
}

/** Writes the books as asked for; returns how many transactions a journal has. */
async function writeBooks(runtime: Runtime, { format, file, account }: Wanted, days: JournalDays): Promise<number> {
  const { db, clock, config } = runtime;
  const put = (pieces: AsyncIterable<string>) => (file === true ? print(pieces) : writeWhole(file, pieces));
  let transactions = 0;
  if (format === 'journal')
    await put(
      writeJournal(db, days, (written) => {
        transactions = written.transactions;
        progress.say({ words: `${written.day}: ${counted(transactions, 'transaction')}` });
      }),
    );
  else {
    const statement = { ...days, account, format, holder: config.statementName, madeAt: clock.now() };
    await put(writeAccountStatement(db, statement));
  }
  return transactions;
}

/** Adds `ledger export`: the books, or one account of them, for other programs. */
export function exportCommand(ledger: OpsCommand): void {
  ledger
    .command('export')
    .description('write the books of closed days for another program, with their opening balances; all days by default')
    .option('--journal [file]', 'every ledger, as a plain-text journal that beancount, ledger and hledger read')
    .option('--ofx [file]', "one of the platform's accounts as OFX 2")
    .option('--camt053 [file]', "one of the platform's accounts as ISO 20022 camt.053.001.08")
    .option('--account <account>', `with --ofx or --camt053, trust_bank by default: ${platformAccounts.join(', ')}`)
    .option('--year <year>', 'a financial year: 2026-27, or 2026 for the one that begins then')
    .option('--from <day>', 'YYYY-MM-DD')
    .option('--to <day>', 'YYYY-MM-DD, the last day included')
    .addHelpText('after', '\nWithout a file the export is printed.')
    .carryOut(async (runtime, _words, options) => {
      const wanted = wantedOf(options);
      const days = await closedDaysOf(runtime, options);
      const transactions = await writeBooks(runtime, wanted, days);
      const { format, file, account } = wanted;
      const isJournal = format === 'journal';
      const what = isJournal ? counted(transactions, 'transaction') : account;
      const text = file === true ? '' : `${file}: ${what} of ${fullDay(days.from)} to ${fullDay(days.to)}`;
      return { json: { ...days, ...(isJournal ? { transactions } : { account }), file }, text };
    });
}
