import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { retryRemittances } from '#features/remittances/failed-remittances.ts';
import { remitToClubs } from '#features/remittances/remit-to-clubs.ts';
import { today } from '#ports/clock.ts';
import { payoutDependencies, sendAllMails } from '#runtime/tasks.ts';
import { dayOption } from './debit-run.ts';
import { operate } from './operate.ts';

export function remitCommand(program: Command): void {
  const command = program
    .command('remit')
    .description('pay each club what cleared up to the day before; again, it adds nothing')
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .option('--retry <club>', 'id or slug: what failed for that club is paid again now, to its details as they are');
  operate(command, async (runtime, _words, { date, retry }) => {
    if (typeof retry === 'string') await retryRemittances(runtime.db, retry, today(runtime.clock));
    const run = await remitToClubs(payoutDependencies(runtime), typeof date === 'string' ? dayOption(date) : undefined);
    await sendAllMails(runtime);
    const kept = run.kept.map(
      ({ club, cents: amount, reason, retryOn }) =>
        `  kept ${formatCents(amount)} of ${club}: ${reason}${retryOn ? `, on ${retryOn}` : ''}`,
    );
    const refused = run.refused.map(
      (each) => `  refused remittance ${each.id} of ${formatCents(each.cents)}: ${each.reason}`,
    );
    const text = [`${counted(run.clubs, 'club')}, ${formatCents(run.totalCents)}`, ...kept, ...refused].join('\n');
    return { json: run, text, failed: run.refused.length > 0 };
  });
}
