import { formatCents, isoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { previewRun, type RunPreview } from '#features/debits/dry-run.ts';
import { type DebitRun, type RunOverrides, runDebits } from '#features/debits/run-debits.ts';
import { resumeTenant, suspendTenant } from '#features/debits/suspended-tenants.ts';
import { today } from '#ports/clock.ts';
import type { Runtime } from '#runtime/compose.ts';
import { dependencies } from '#runtime/tasks.ts';
import { CommandProblem, operate } from './operate.ts';

/** Reads a day given on the command line. */
export function dayOption(text: string) {
  try {
    return isoDate(text);
  } catch {
    throw new CommandProblem(`${text} is not a day written YYYY-MM-DD.`);
  }
}

function runAsText(run: DebitRun): string {
  const skipped = Object.entries(run.skipped).map(([reason, count]) => `  skipped ${count}: ${reason}`);
  const refused = Object.entries(run.refused).map(([cause, count]) => `  REFUSED ${count}: ${cause}`);
  const first = `${run.date}: ${run.planned} planned, ${run.submitted} submitted, ${formatCents(run.totalCents)}`;
  return [first, ...skipped, ...refused].join('\n');
}

function previewAsText(preview: RunPreview): string {
  const { date, debits, totalCents, lines, differences, skipped, pastRuns, anomalies, suspension, suspendedTenants } =
    preview;
  return [
    ...lines.map(({ email, tenant, maskedAccount, cents, usualCents, differences }) => {
      const usual = usualCents === null ? '' : `  usually ${formatCents(usualCents)}`;
      return `${formatCents(cents).padStart(10)}  ${email}  ${tenant}  ${maskedAccount}${usual}${differences.map((each) => `  ${each.toUpperCase()}`).join('')}`;
    }),
    ...(debits > lines.length ? [`           ... and ${debits - lines.length} smaller ones`] : []),
    `${date}: ${counted(debits, 'debit')}, ${formatCents(totalCents)}; nothing was written`,
    ...Object.entries(differences).map(([difference, count]) => `  ${count}: ${difference}`),
    ...Object.entries(skipped).map(([reason, count]) => `  left out ${count}: ${reason}`),
    ...pastRuns.map((run) => `  before  ${run.date}: ${counted(run.debits, 'debit')}, ${formatCents(run.cents)}`),
    ...anomalies.map((phrase) => `  UNUSUAL: ${phrase}; without --confirm it is refused`),
    ...(suspension ? [`  SUSPENDED since the run of ${suspension.date}: ${suspension.because}`] : []),
    ...suspendedTenants.map(
      ({ tenant, since, because }) => `  SUSPENDED: ${tenant} since ${since.toISOString()}: ${because}`,
    ),
  ].join('\n');
}

async function preview(runtime: Runtime, date: unknown, limit: unknown) {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 0 || count > 100_000)
    throw new CommandProblem('--limit takes a whole number up to 100000.');
  const { db, clock, tenants } = runtime;
  const day = typeof date === 'string' ? dayOption(date) : upcomingDebitDay(clock.now());
  const json = await previewRun(db, clock, tenants, day, count);
  return { json, text: previewAsText(json) };
}

export function debitRunCommand(program: Command): void {
  const command = program
    .command('debit-run')
    .description("plan and submit a day's debits; safe to run again")
    .enablePositionalOptions()
    .option('--date <day>', 'YYYY-MM-DD, today by default; with --plan the next debit day')
    .option('--plan', 'only show who would be debited, how much, and what differs from their usual; nothing is written')
    .option('--limit <n>', 'with --plan: so many lines, the largest debits first', '100')
    .option('--confirm', 'also when the run is far above the usual, or runs are suspended for that')
    .option('--force', 'also on a day that is no debit day or comes after the next one, and while runs are suspended');
  operate(command, async (runtime, _words, { date, plan, limit, force, confirm }) => {
    if (plan) return preview(runtime, date, limit);
    const day = typeof date === 'string' ? dayOption(date) : today(runtime.clock);
    const insistence: RunOverrides = { force: force === true, confirm: confirm === true };
    const run = await runDebits(dependencies(runtime), day, insistence);
    return { json: run, text: runAsText(run), failed: Object.keys(run.refused).length > 0 };
  });
  tenantCommands(command);
}

/** Adds commands that suspend and resume a tenant's debits. */
function tenantCommands(run: Command): void {
  const suspend = run
    .command('suspend')
    .description("plan and submit nothing for a tenant's supporters until debit-run resume")
    .requiredOption('--tenant <key>', 'the key of the tenant, as its file is named')
    .option('--because <text>', 'why, for whoever looks at status', 'an operator suspended it');
  operate(suspend, async ({ db, clock, tenants }, _words, { tenant, because }) => {
    const key = knownTenant(tenants.byKey(String(tenant)), tenant);
    await suspendTenant(db, clock, key, String(because));
    return { json: { tenant: key, suspended: true }, text: `Nothing is planned or submitted for ${key} from now on.` };
  });
  const resume = run
    .command('resume')
    .description('debit a suspended tenant again; what has waited goes with the next run')
    .requiredOption('--tenant <key>', 'the key of the tenant');
  operate(resume, async ({ db, tenants }, _words, { tenant }) => {
    const wasSuspended = await resumeTenant(db, String(tenant));
    if (!wasSuspended) knownTenant(tenants.byKey(String(tenant)), tenant);
    const text = wasSuspended ? `${tenant} is debited again with the next run.` : `${tenant} was not suspended.`;
    return { json: { tenant, suspended: false, wasSuspended }, text };
  });
}

function knownTenant(found: { key: string } | undefined, asked: unknown): string {
  if (!found) throw new CommandProblem(`There is no tenant ${asked}.`);
  return found.key;
}
