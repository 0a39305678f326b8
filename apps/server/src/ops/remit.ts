import { cents, formatCents } from '@sparechange/domain';
import type { Command } from 'commander';
import { remitToClubs } from '#features/remittance/remit-to-clubs.ts';
import { payoutDependencies, sendAllMails } from '#jobs/tasks.ts';
import { dayOption } from './debit-run.ts';
import { operate } from './operate.ts';

export function remitCommand(program: Command): void {
  const command = program
    .command('remit')
    .description('pay each club what cleared up to the day before; again, it adds nothing')
    .option('--date <day>', 'YYYY-MM-DD, today by default');
  operate(command, async (runtime, _words, { date }) => {
    const run = await remitToClubs(payoutDependencies(runtime), typeof date === 'string' ? dayOption(date) : undefined);
    await sendAllMails(runtime);
    const kept = run.kept.map((each) => `  kept ${formatCents(cents(each.cents))} of ${each.club}: ${each.reason}`);
    const refused = run.refused.map(
      (each) => `  refused remittance ${each.id} of ${formatCents(cents(each.cents))}: ${each.reason}`,
    );
    const text = [`${run.clubs} clubs, ${formatCents(cents(run.totalCents))}`, ...kept, ...refused].join('\n');
    return { json: run, text };
  });
}
