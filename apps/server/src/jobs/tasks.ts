import { runDebits } from '#features/debits/run-debits.ts';
import { settleDebits } from '#features/debits/settle-debits.ts';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { handleNotifications } from '#features/operation/handle-notifications.ts';
import { syncEverybody, syncPurchases } from '#features/roundups/sync-purchases.ts';
import { runTimetable, type Tasks, type TimetableDeps } from '#features/timetable/run-timetable.ts';
import type { Runtime } from '../compose.ts';
import type { JobHandlers, Jobs } from './queues.ts';

/** The use cases' dependencies out of the runtime: one place where configuration meets them. */
export const dependencies = (runtime: Runtime) => ({
  db: runtime.db,
  clock: runtime.clock,
  bankLink: runtime.bankLink,
  directDebit: runtime.directDebit,
  tenants: runtime.tenants,
  statementName: runtime.config.statementName,
});

export function tasksOf(runtime: Runtime): Tasks {
  const deps = dependencies(runtime);
  const onFailure = (supporterId: string, error: Error) =>
    runtime.log.warn({ supporterId, err: error }, 'the bank did not answer for a supporter');
  return {
    sync: () => syncEverybody(deps, onFailure),
    settle: () => settleDebits(deps),
    'debit-run': (day) => runDebits(deps, day),
  };
}

export function timetableDeps(runtime: Runtime): TimetableDeps {
  const { db, clock, log } = runtime;
  return {
    db,
    clock,
    tasks: tasksOf(runtime),
    onDone: ({ task, dueAt }, result) => log.info({ task, dueAt, result }, 'timetable'),
    onFailure: ({ task, dueAt }, error) => log.error({ task, dueAt, err: error }, 'a task of the timetable failed'),
  };
}

export function handlersOf(runtime: Runtime, jobs: Jobs): JobHandlers {
  const deps = dependencies(runtime);
  return {
    timetable: () => runTimetable(timetableDeps(runtime)),
    syncSupporter: (supporterId) => syncPurchases(deps, supporterId),
    submitDebits: () => submitDebits(deps),
    handleNotifications: () => handleNotifications({ ...deps, syncSoon: jobs.soon.syncSupporter }),
  };
}
