import type { Command } from 'commander';
import { auditBooks } from '#features/ledger/audit-books.ts';
import { operate } from './operate.ts';

export function auditCommand(program: Command): void {
  const command = program.command('audit').description('check every invariant of the books; exit 1 on a violation');
  operate(command, async ({ db }) => {
    const { violations, checked } = await auditBooks(db);
    const counts = Object.entries(checked).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
    const text = [...violations, ...counts, `${violations.length} violations`].join('\n');
    return { json: { violations, checked }, text, failed: violations.length > 0 };
  });
}
