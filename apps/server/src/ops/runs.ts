import { type Cents, formatCents, type IsoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { counted } from '@sparechange/domain/counted';
import { debitRun } from '#features/collections/debits/debit-run-act.ts';
import { type PreviewLine, previewRun, type RunPreview } from '#features/collections/debits/dry-run.ts';
import { resumption } from '#features/collections/debits/resumption-act.ts';
import { type DebitRun, SubmissionUnderWay } from '#features/collections/debits/run-debits.ts';
import { findSuspension, lastSuspendedAt } from '#features/collections/debits/suspended-runs.ts';
import { listSuspendedTenants, suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { handleNotifications } from '#features/collections/webhooks/handle-notifications.ts';
import { bankNotAnswering, withFailureLog } from '#features/core/supporter-work/with-failure-log.ts';
import { retryRemittances } from '#features/disbursements/remittances/failed-remittances.ts';
import { type RemitRun, remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings, type SavingsRun } from '#features/disbursements/savings/deposit-savings.ts';
import { runConsents } from '#features/supporters/offboarding/run-consents.ts';
import { syncEverybody, syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { today } from '#ports/clock.ts';
import { doOrAsk } from '#runtime/approved-acts.ts';
import type { Runtime } from '#runtime/compose.ts';
import { consentDependencies, dependencies, payoutDependencies } from '#runtime/dependencies.ts';
import { brandName } from '#tenants/load-tenants.ts';
import { askedAnswer } from './approvals.ts';
import { findOneSupporter } from './find-supporter.ts';
import { CommandProblem, commandActor, waitForTurn } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption, monthOption } from './read-options.ts';
import { supporterWords } from './supporter-words.ts';

function runAsText(run: DebitRun): string {
  const notDebited = Object.entries(run.skipped).map(([reason, count]) => `  not debited ${count}: ${reason}`);
  const waiting = run.awaitsBalances > 0 ? [`  not debited yet ${run.awaitsBalances}: balance asked again`] : [];
  const refused = Object.entries(run.refused).map(([cause, count]) => `  REFUSED ${count}: ${cause}`);
  const first = `${run.date}: ${run.planned} planned, ${run.submitted} submitted, ${formatCents(run.totalCents)}`;
  return [first, ...notDebited, ...waiting, ...refused].join('\n');
}

function lineAsText({ email, tenant, maskedAccount, cents, usualCents, differences }: PreviewLine): string {
  const usual = usualCents === null ? '' : `  usually ${formatCents(usualCents)}`;
  const words = differences.map((each) => `  ${each.toUpperCase()}`).join('');
  return `${formatCents(cents).padStart(10)}  ${email}  ${tenant}  ${maskedAccount}${usual}${words}`;
}

function previewAsText(preview: Omit<RunPreview, 'tenants' | 'askedCents'>): string {
  const { date, debits, totalCents, lines, differences, skipped, pastRuns, anomalies, suspension, suspendedTenants } =
    preview;
  return [
    ...lines.map(lineAsText),
    ...(debits > lines.length ? [`           ... and ${debits - lines.length} smaller ones`] : []),
    `${date}: ${counted(debits, 'debit')}, ${formatCents(totalCents)}; nothing was written`,
    ...Object.entries(differences).map(([difference, count]) => `  ${count}: ${difference}`),
    ...Object.entries(skipped).map(([reason, count]) => `  not debited ${count}: ${reason}`),
    ...pastRuns.map((past) => `  before  ${past.date}: ${counted(past.debits, 'debit')}, ${formatCents(past.cents)}`),
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
  const { tenants: _byTenant, askedCents: _toConfirm, ...json } = await previewRun(db, clock, tenants, day, count);
  return { json, text: previewAsText(json) };
}

/** Returns the amount for which a run stopped as unusual, or else what it would ask for now. */
async function amountToConfirm({ db, clock, tenants }: Runtime, day: IsoDate): Promise<Cents> {
  const suspension = await findSuspension(db);
  if (suspension?.cents && suspension.date === day) return suspension.cents;
  return (await previewRun(db, clock, tenants, day, 0)).askedCents;
}

export function debitRunCommand(command: OpsCommand): void {
  command
    .enablePositionalOptions()
    .option('--date <day>', 'YYYY-MM-DD, today by default; with --plan the next debit day')
    .option('--plan', 'only show who would be debited, how much, and what differs from their usual; nothing is written')
    .option('--limit <n>', 'with --plan: how many lines, the largest debits first', '100')
    .option(
      '--confirm',
      'even if the run is far above the usual, or runs are suspended for that: for the amount shown plus a tenth',
    )
    .option('--force', 'even on a day that is not a debit day or comes after the next one, or while runs are suspended')
    .option('--after-restore', 'ask the provider about each debit before it is sent, after a restore from a backup')
    .carryOut(async (runtime, _words, { date, plan, limit, force, confirm, afterRestore }) => {
      if (plan) return preview(runtime, date, limit);
      const day = typeof date === 'string' ? dayOption(date) : today(runtime.clock);
      const args = {
        date: day,
        force: force === true,
        confirmed: confirm === true ? await amountToConfirm(runtime, day) : null,
        isAfterRestore: afterRestore === true,
        upTo: await lastSuspendedAt(runtime.db), // while it waits for its turn, debiting may be suspended again
      };
      const summary = `Debit run of ${day}, ${[force && 'forced', confirm && 'confirmed'].filter(Boolean).join(' and ')}`;
      const tried = await waitForTurn(() =>
        doOrAsk(runtime, commandActor(), debitRun, args, summary).catch(undefinedWhileUnderWay),
      );
      if (!tried) throw new SubmissionUnderWay();
      if ('approval' in tried) return askedAnswer(tried.approval);
      const { result: run } = tried;
      return { json: run, text: runAsText(run), failed: Object.keys(run.refused).length > 0 };
    });
  tenantCommands(command);
}

/** Returns undefined for a run that met another submission, and throws every other failure. */
function undefinedWhileUnderWay(error: unknown): undefined {
  if (!(error instanceof SubmissionUnderWay)) throw error;
}

/** Adds commands that suspend and resume a tenant's debits. */
function tenantCommands(command: OpsCommand): void {
  command
    .command('suspend')
    .description("plan and submit nothing for a tenant's supporters until debit-run resume")
    .requiredOption('--tenant <key>', 'the key of the tenant, as its file is named')
    .option('--because <text>', 'why, as shown in status', 'an operator suspended it')
    .carryOut(async ({ db, clock, tenants }, _words, { tenant, because }) => {
      const key = knownTenant(tenants.byKey(String(tenant)), tenant);
      const outcome = await suspendTenant({ db, clock, actor: commandActor() }, key, String(because));
      return {
        json: { tenant: key, suspended: true },
        text:
          outcome === 'suspended for this, too'
            ? `${key} was suspended before; this reason is kept with the others, and requests to resume it are refused.`
            : `Nothing is planned or submitted for ${key} from now on.`,
      };
    });
  command
    .command('resume')
    .description('debit a suspended tenant again; what is waiting goes with the next run')
    .requiredOption('--tenant <key>', 'the key of the tenant')
    .carryOut(async (runtime, _words, options) => {
      const tenant = String(options.tenant);
      const suspended = (await listSuspendedTenants(runtime.db)).find((each) => each.tenant === tenant);
      if (!suspended) knownTenant(runtime.tenants.byKey(tenant), tenant);
      const tried = suspended
        ? await doOrAsk(
            runtime,
            commandActor(),
            resumption,
            suspended,
            `Debits of ${brandName(runtime.tenants, tenant)} are resumed`,
          )
        : { result: false };
      if ('approval' in tried) return askedAnswer(tried.approval);
      const { result: wasSuspended } = tried;
      const text = wasSuspended ? `${tenant} is debited again with the next run.` : `${tenant} was not suspended.`;
      return { json: { tenant, suspended: false, wasSuspended }, text };
    });
}

function knownTenant(found: { key: string } | undefined, asked: unknown): string {
  if (!found) throw new CommandProblem(`There is no tenant ${asked}.`);
  return found.key;
}

export function savingsRunCommand(command: OpsCommand): void {
  command.option('--month <month>', 'YYYY-MM, last month by default').carryOut(async (runtime, _words, { month }) => {
    const run = await depositSavings(
      payoutDependencies(runtime),
      typeof month === 'string' ? monthOption(month) : undefined,
    );
    return savingsAnswer(run);
  });
}

/** Lists the payouts that were refused, and says how many have no answer yet. */
const notPaid = (name: 'deposit' | 'remittance', { refused, unknown }: Pick<SavingsRun, 'refused' | 'unknown'>) => [
  ...refused.map(({ id, cents, reason }) => `  refused ${name} ${id} of ${formatCents(cents)}: ${reason}`),
  ...(unknown > 0 ? [`  ${unknown} without an answer so far: retried automatically`] : []),
];

export function savingsAnswer(run: SavingsRun) {
  const first = `${run.month}: ${counted(run.deposits, 'deposit')}, ${formatCents(run.totalCents)}`;
  return { json: run, text: [first, ...notPaid('deposit', run)].join('\n'), failed: run.refused.length > 0 };
}

export function remitCommand(command: OpsCommand): void {
  command
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .option('--retry <club>', "id or slug: retry that club's failed payouts now, to its present bank details")
    .carryOut(async (runtime, _words, { date, retry }) => {
      if (typeof retry === 'string') await retryRemittances(runtime.db, retry, today(runtime.clock));
      const run = await remitToClubs(
        payoutDependencies(runtime),
        typeof date === 'string' ? dayOption(date) : undefined,
      );
      return remitAnswer(run);
    });
}

export function remitAnswer(run: RemitRun) {
  const withheld = run.kept.map(
    ({ club, cents: amount, reason, retryOn }) =>
      `  withheld ${formatCents(amount)} of ${club}: ${reason}${retryOn ? `, retried on ${retryOn}` : ''}`,
  );
  const first = `${counted(run.clubs, 'club')}, ${formatCents(run.totalCents)}`;
  const text = [first, ...withheld, ...notPaid('remittance', run)].join('\n');
  return { json: run, text, failed: run.refused.length > 0 };
}

async function syncOne(whole: Runtime, query: string) {
  const { runtime, supporterId } = await findOneSupporter(whole, query);
  return { failed: 0, leftToWorkers: 0, ...(await syncPurchases(dependencies(runtime), supporterId)) };
}

export function syncCommand(command: OpsCommand): void {
  command
    .option('--supporter <supporter>', `only this supporter, ${supporterWords}`)
    .carryOut(async (runtime, _words, { supporter: email }) => {
      const failures: string[] = [];
      const { failed, leftToWorkers, transactions, roundUps, roundUpCents } =
        typeof email === 'string'
          ? await syncOne(runtime, email)
          : await syncEverybody(dependencies(runtime), (supporterId, error) =>
              failures.push(`${supporterId}: ${error.message}`),
            );
      const json = { transactions, roundUps, roundUpCents };
      const text = `${counted(transactions, 'transaction')}, ${counted(roundUps, 'new round-up')}, ${formatCents(roundUpCents)}`;
      if (failed === 0) return { json, text };
      const left = leftToWorkers > 0 ? [`${counted(leftToWorkers, 'supporter')} left to the workers`] : [];
      return { json: { ...json, failed, leftToWorkers }, text: [text, ...failures, ...left].join('\n'), failed: true };
    });
}

export function settleCommand(command: OpsCommand): void {
  command.carryOut(async (runtime) => {
    const deps = dependencies(runtime);
    for (const [provider, { reports }] of Object.entries(deps.notifiers))
      if (reports === 'payments') await handleNotifications(deps, provider);
    const json = await pollOutcomes(deps);
    return { json, text: `${json.cleared} cleared, ${json.returned} returned, ${json.pending} pending` };
  });
}

export function consentRunCommand(command: OpsCommand): void {
  command.carryOut(async (runtime) => {
    const run = await withFailureLog(runtime, bankNotAnswering, (onFailure) =>
      runConsents(consentDependencies(runtime), onFailure),
    );
    return consentRunAnswer(run);
  });
}

export function consentRunAnswer({
  ended,
  reminded,
  deleted,
  failed,
  leftToWorkers,
  faults,
}: Awaited<ReturnType<typeof runConsents>>) {
  const json = { expired: ended, reminded, deleted, failed, leftToWorkers };
  const text = `${ended} ended, ${reminded} reminded, bank data of ${deleted} deleted; ${failed} failed and are tried again, ${leftToWorkers} are left to the workers`;
  return { json, text, failed: faults > 0 };
}
