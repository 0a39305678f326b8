import * as contract from '@sparechange/contract/console';
import { addDays, noCents, shortDay, sydneyTime } from '@sparechange/domain';
import { debitRunTime, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { findSilentNodes, listPatienceMs } from '#db/silent-nodes.ts';
import { Conflict, NotFound, Unavailable } from '#errors.ts';
import { refuseRequestsOf } from '#features/core/approvals/approve.ts';
import type { AskedFor } from '#features/core/approvals/approved-acts.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import { brandName, type Tenants } from '#tenants/load-tenants.ts';
import { debitRun } from './debit-run-act.ts';
import { missedRun } from './detect-missed-runs.ts';
import { previewRun } from './dry-run.ts';
import { endOfTime, findRun, listRuns, type Run, stateOfRun } from './list-runs.ts';
import { findLeftOut, listHeldRuns } from './release-runs.ts';
import type { resumption } from './resumption-act.ts';
import { listProgress, listRunOutcomes, progressOf, type RunProgress } from './run-progress.ts';
import { findSuspension, lastSuspendedAt, stopSuspendedRun } from './suspended-runs.ts';
import { listSuspendedTenants, suspendTenant } from './suspended-tenants.ts';

interface RunRouteDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  acts: AskedFor<{ debitRun: typeof debitRun; resumption: typeof resumption }>;
}

function outcomeOf(done: object | undefined): 'under_way' | 'asked' | 'done' {
  if (!done) return 'under_way';
  return 'approval' in done ? 'asked' : 'done';
}

const maxLines = 100;
/** Days for which a run may be repeated. */
const daysToRepeat = 7;

/** Presents a run, for viewers without the typed reason. */
const presentRun = (run: Run, progress: RunProgress | null, roles: readonly contract.Role[]) => ({
  ...run,
  id: run.date,
  state: stateOfRun(run, progress),
  suspendedBecause: contract.seesFiguresAlone(roles) ? null : run.suspendedBecause,
});

const presentCounts = (counts: Partial<Record<string, number>>) =>
  Object.entries(counts).map(([words, debits = 0]) => ({ words, debits }));

/** Serves debit runs: past, next, and their suspensions. */
export function runRoutes(serve: ServeConsole, deps: RunRouteDeps): void {
  readRoutes(serve, deps);
  const { db, clock, tenants, acts } = deps;

  const keyOf = (tenant: string): string => {
    const known = tenants.byKey(tenant);
    if (!known) throw new NotFound('The tenant');
    return known.key;
  };

  serve.person(contract.runDebits, async ({ date, how, cents }, caller, { patiently }) => {
    const day = today(clock);
    if (date > day) throw new Conflict(`The run of ${shortDay(date)} is not due yet.`);
    const [suspension, held] = [await findSuspension(db), await listHeldRuns(db, day)];
    const waits = suspension?.date === date || held.includes(date);
    if (date < addDays(day, -daysToRepeat) && !waits)
      throw new Conflict('That run is too long ago; the next one takes what it left.');
    const confirmed = how === 'confirmed' ? (cents ?? noCents) : null;
    const args = { date, force: how === 'forced', confirmed, isAfterRestore: false, upTo: await lastSuspendedAt(db) };
    const what =
      how === 'forced'
        ? `Debiting is resumed, and the run of ${shortDay(date)} made once more`
        : `Debit run of ${shortDay(date)}, ${how}`;
    const summary = [what, suspension?.because].filter(Boolean).join(': ');
    return { outcome: outcomeOf(await patiently(acts.debitRun(consoleActor(caller), args, summary))) };
  });

  serve.person(contract.stopRun, async ({ because }, caller) => {
    const refusal = { by: consoleActor(caller), at: clock.now(), because: `The run was left stopped: ${because}` };
    await db.begin(async (tx) => {
      await stopSuspendedRun(tx, because);
      await refuseRequestsOf(tx, debitRun.name, { ...refusal, sparesUnderWay: true });
    });
    return {};
  });

  serve.person(contract.suspendTenant, async ({ tenant, because }, caller) => {
    await suspendTenant({ db, clock, actor: consoleActor(caller) }, keyOf(tenant), because);
    return {};
  });

  serve.person(contract.resumeTenant, async ({ tenant }, caller) => {
    const suspended = (await listSuspendedTenants(db)).find((each) => each.tenant === tenant);
    if (!suspended) throw new NotFound('The suspension');
    const summary = `Debits of ${brandName(tenants, tenant)} are resumed`;
    return { outcome: outcomeOf(await acts.resumption(consoleActor(caller), suspended, summary)) };
  });
}

/** Time that a plan is kept for later callers if it took longer than a call. */
const maxPlanAgeMs = 5 * 60_000;

function readRoutes(serve: ServeConsole, { db, clock, tenants }: RunRouteDeps): void {
  /** Concurrent callers share one plan, as planners of a bucket take turns. */
  let planning: { plan: ReturnType<typeof previewRun>; startedAt: number } | undefined;
  const forget = (which: typeof planning) => {
    if (planning === which) planning = undefined;
  };

  serve.person(contract.listRuns, async ({ after, limit }, { roles }) => {
    const rows = await listRuns(db, after ?? endOfTime, limit + 1);
    const silentServers = await findSilentNodes(db, listPatienceMs);
    // A run's progress is either known in full or not at all.
    const progress = silentServers.length > 0 ? undefined : await listProgress(db, rows);
    const runs = rows.map((run) => {
      const known = progress?.get(run.date) ?? null;
      return { ...presentRun(run, known, roles), progress: known };
    });
    return { ...pageOf(runs, limit, ({ date }) => date), silentServers };
  });

  serve.person(contract.retrieveRun, async ({ date }, { roles }) => {
    const run = await findRun(db, date);
    if (!run) throw new NotFound('The run');
    const outcomes = await listRunOutcomes(db, date);
    const leftOut = presentCounts((await findLeftOut(db, date)) ?? {});
    const progress = progressOf(outcomes);
    return { run: presentRun(run, progress, roles), progress, outcomes, leftOut };
  });

  serve.person(contract.retrieveRunState, async (_input, { roles }) => {
    const readable = <Stop extends { because: string }>(stop: Stop) =>
      contract.seesFiguresAlone(roles) ? { ...stop, because: null } : stop;
    const suspended = new Map((await listSuspendedTenants(db)).map((each) => [each.tenant, readable(each)]));
    const suspension = await findSuspension(db);
    return {
      nextRunAt: sydneyTime(upcomingDebitDay(clock.now()), debitRunTime),
      missedRun: (await missedRun(db, clock)) ?? null,
      suspension: suspension ? readable(suspension) : null,
      tenants: tenants.list().map(({ key, name }) => ({ tenant: key, name, suspended: suspended.get(key) ?? null })),
    };
  });

  serve.person(contract.planRun, async (_input, _caller, { patiently }) => {
    const suspension = await findSuspension(db);
    const date = suspension?.isAnomaly ? suspension.date : upcomingDebitDay(clock.now());
    if (planning && performance.now() - planning.startedAt > maxPlanAgeMs) planning = undefined;
    planning ??= { plan: previewRun(db, clock, tenants, date, maxLines), startedAt: performance.now() };
    const current = planning;
    current.plan.catch(() => forget(current));
    const plan = await patiently(current.plan);
    if (!plan) throw new Unavailable('The plan is still being worked out. Please ask again in a minute.');
    forget(current);
    const named = <Of extends { tenant: string }>(of: Of) => ({ ...of, tenant: brandName(tenants, of.tenant) });
    return {
      ...plan,
      tenants: plan.tenants.map(named),
      lines: plan.lines.map(named),
      differences: presentCounts(plan.differences),
      skipped: presentCounts(plan.skipped),
    };
  });
}
