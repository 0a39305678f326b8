import { cents, formatCents, isoDate } from '@sparechange/domain';
import type { Command } from 'commander';
import { runDebits } from '#features/debits/run-debits.ts';
import { dependencies } from '#jobs/tasks.ts';
import { today } from '#ports/clock.ts';
import { CommandProblem, operate } from './operate.ts';

/** Reads a day given on the command line. */
export function dayOption(text: string) {
  try {
    return isoDate(text);
  } catch {
    throw new CommandProblem(`${text} is not a day written YYYY-MM-DD.`);
  }
}

export function debitRunCommand(program: Command): void {
  const command = program
    .command('debit-run')
    .description("plan and submit a day's debits; again, it adds nothing")
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .option('--force', 'also on a day that is no debit day, and after a halt');
  operate(command, async (runtime, _words, { date, force }) => {
    const day = typeof date === 'string' ? dayOption(date) : today(runtime.clock);
    const run = await runDebits(dependencies(runtime), day, force === true);
    const skipped = Object.entries(run.skipped).map(([reason, count]) => `  skipped ${count}: ${reason}`);
    const text = [
      `${run.date}: ${run.planned} planned, ${run.submitted} submitted, ${formatCents(cents(run.totalCents))}`,
      ...skipped,
    ].join('\n');
    return { json: run, text };
  });
}
