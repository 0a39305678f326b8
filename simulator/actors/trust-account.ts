import { addDays } from '@sparechange/domain';
import {
  type ImportedStatement,
  importStatement,
} from '@sparechange/server/features/accounting/bank-statements/import-statement.ts';
import { listLines } from '@sparechange/server/features/accounting/bank-statements/statement-line-repository.ts';
import { auditBooks } from '@sparechange/server/features/core/ledger/audit-books.ts';
import type { World } from '../world.ts';

/** The bank's statement of some days of the trust account, as the sandbox writes it, imported. */
async function importDays(
  world: World,
  days: { from?: string; format: 'csv' | 'camt053' },
): Promise<ImportedStatement> {
  const { content } = await world.external.control<{ content: string }>('POST', '/bank-statement', days);
  const { clock } = world;
  const { encryption } = world.product().runtime;
  const imported = await importStatement({ db: world.admin, clock, encryption }, content);
  world.count('lines of bank statements', imported.added);
  return imported;
}

/** An operator imports the statement of the day before, with some days that were imported before. */
export async function importYesterday(world: World): Promise<void> {
  await importDays(world, { from: addDays(world.clock.day(), -3), format: 'camt053' });
}

/** Nothing is wrong with the books, so none of their checks wakes an operator. */
export async function checkAlarms(world: World): Promise<void> {
  const alarms = await world.everybody<{ name: string; sentence: string }[]>`
    select name, sentence from alarms where name in ('books_do_not_balance', 'provider_disagrees', 'audit_log_changed')`;
  for (const { name, sentence } of alarms) world.violation(`alarm ${name}: ${sentence}`);
  const [overpaid] = await world.everybody<{ count: number }[]>`
    select count(*) as count from alarms where name = 'clubs_overpaid' and raised_at >= ${world.clock.day()}::date - 1`;
  world.count('nights with an overpaid club', overpaid?.count ?? 0);
}

/** In the end each line of all statements is explained by one payment, and the whole again adds nothing. */
export async function checkTrustAccount(world: World): Promise<void> {
  const { added, open } = await importDays(world, { format: 'camt053' });
  if (added > 0) world.violation(`${added} lines of the trust account were on no daily statement`);
  for (const { bookedOn, cents, description } of open > 0 ? await listLines(world.admin, true, 20) : [])
    world.violation(`nothing explains the line of ${bookedOn} of ${cents}: ${description}`);
  const { violations } = await auditBooks(world.admin);
  for (const violation of violations) world.violation(`audit after the last statement: ${violation}`);
}
