import { addDays } from '@sparechange/domain';
import { fetchEntries } from '@sparechange/server/features/accounting/bank-statements/fetch-entries.ts';
import {
  type ImportedStatement,
  importStatement,
} from '@sparechange/server/features/accounting/bank-statements/import-statement.ts';
import { matchOpenLines } from '@sparechange/server/features/accounting/bank-statements/match-lines.ts';
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

/** An operator imports the statement of the day before, with some days that were imported before, where there is one. */
export async function importYesterday(world: World): Promise<void> {
  if (world.hasFloat) return;
  await importDays(world, { from: addDays(world.clock.day(), -3), format: 'camt053' });
}

/** Nothing is wrong with the books, so none of their checks wakes an operator. */
export async function checkAlarms(world: World): Promise<void> {
  const alarms = await world.everybody<{ name: string; sentence: string }[]>`
    select name, sentence from alarms 
    where name in ('books_do_not_balance', 'provider_disagrees', 'provider_entries_missing', 'provider_entries_unexplained', 'audit_log_changed')`;
  for (const { name, sentence } of alarms) world.violation(`alarm ${name}: ${sentence}`);
  const [overpaid] = await world.everybody<{ count: number }[]>`
    select count(*) as count from alarms where name = 'clubs_overpaid' and raised_at >= ${world.clock.day()}::date - 1`;
  world.count('nights with an overpaid club', overpaid?.count ?? 0);
}

/** Nights of 60 days each, more than any run has. */
const maxNights = 20;

/** Fetches the rest of the float's entries, which come to its balance; returns the lines that nothing explains. */
async function fetchRest(world: World): Promise<number> {
  const { clock } = world;
  const { encryption, directDebit, log } = world.product().runtime;
  const deps = { db: world.admin, clock, encryption, directDebit, log };
  for (let nights = 0; nights < maxNights && (await fetchEntries(deps)).daysLeft > 0; nights += 1);
  const { open } = await matchOpenLines(deps);
  const [booked] = await world.admin<{ lines: number; cents: number }[]>`
    select count(*)::int as lines, coalesce(sum(cents), 0)::bigint as cents from bank_statement_lines`;
  world.count('entries of the float', booked?.lines ?? 0);
  const { closingCents } = await world.external.control<{ closingCents: number }>('POST', '/bank-statement', {});
  if (booked?.cents !== closingCents)
    world.violation(`the float's entries come to ${booked?.cents} cents, and its balance is ${closingCents}`);
  return open;
}

/** Imports the whole statement, which adds nothing any more; returns the lines that nothing explains. */
async function importAll(world: World): Promise<number> {
  const { added, open } = await importDays(world, { format: 'camt053' });
  if (added > 0) world.violation(`${added} lines of the trust account were on no daily statement`);
  return open;
}

/** In the end each line of the trust account is explained by one payment. */
export async function checkTrustAccount(world: World): Promise<void> {
  const open = world.hasFloat ? await fetchRest(world) : await importAll(world);
  for (const { bookedOn, cents, description } of open > 0 ? await listLines(world.admin, true, 20) : [])
    world.violation(`nothing explains the line of ${bookedOn} of ${cents}: ${description}`);
  const { violations } = await auditBooks(world.admin);
  for (const violation of violations) world.violation(`audit after the last statement: ${violation}`);
}
