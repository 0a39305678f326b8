import { formatCents, parseMonth } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { depositSavings } from '#features/savings/deposit-savings.ts';
import { payoutDependencies } from '#runtime/tasks.ts';
import { CommandProblem, operate } from './operate.ts';

/** Reads a month given on the command line. */
export function monthOption(text: string) {
  const month = parseMonth(text);
  if (!month) throw new CommandProblem(`${text} is not a month written YYYY-MM.`);
  return month;
}

export function savingsRunCommand(program: Command): void {
  const command = program
    .command('savings-run')
    .description("deposit what was set aside up to a month's end; safe to run again")
    .option('--month <month>', 'YYYY-MM, last month by default');
  operate(command, async (runtime, _words, { month }) => {
    const run = await depositSavings(
      payoutDependencies(runtime),
      typeof month === 'string' ? monthOption(month) : undefined,
    );
    const refused = run.refused.map(
      (each) => `  refused deposit ${each.id} of ${formatCents(each.cents)}: ${each.reason}`,
    );
    const text = [`${run.month}: ${counted(run.deposits, 'deposit')}, ${formatCents(run.totalCents)}`, ...refused].join(
      '\n',
    );
    return { json: run, text };
  });
}
