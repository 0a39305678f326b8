import { identityChecksFor } from '#features/core/ledger/checks-of-identity.ts';
import type { WorkDeps } from '#features/core/supporter-work/do-work.ts';
import type { AdviceDeps } from '#features/disbursements/remittance-advice/compose-advice.ts';
import type { ConsentRunDeps } from '#features/supporters/offboarding/run-consents.ts';
import type { Clock } from '#ports/clock.ts';
import type { TaskDeps } from '#registry.ts';
import type { Runtime } from './compose.ts';
import { removeUserOf } from './remove-user.ts';

type Needed = 'db' | 'log' | 'bankLink' | 'encryption' | 'directDebit' | 'notifiers' | 'tenants';

/** The use cases' dependencies, with configuration, from the runtime. */
export const dependencies = (
  runtime: Pick<Runtime, Needed> & { clock: Clock; config: Pick<Runtime['config'], 'statementName' | 'callsInFlight'> },
) => ({
  db: runtime.db,
  clock: runtime.clock,
  log: runtime.log,
  bankLink: runtime.bankLink,
  encryption: runtime.encryption,
  directDebit: runtime.directDebit,
  notifiers: runtime.notifiers,
  tenants: runtime.tenants,
  statementName: runtime.config.statementName,
  callsInFlight: runtime.config.callsInFlight,
});

export const payoutDependencies = (
  runtime: Parameters<typeof dependencies>[0] & { config: Pick<Runtime['config'], 'mailFrom'> },
) => ({
  ...dependencies(runtime),
  mailFrom: runtime.config.mailFrom,
});

export const adviceDependencies = ({ db, tenants, sites, printer, adviceLinks, config }: Runtime): AdviceDeps => ({
  db,
  tenants,
  sites,
  printer,
  adviceLinks,
  mainTenant: config.mainTenant,
});

export const consentDependencies = (runtime: Runtime): ConsentRunDeps & WorkDeps => ({
  ...dependencies(runtime),
  graceDays: runtime.config.bankDataGraceDays,
});

/** Returns what tasks are given; by default as of a process that has always run. */
export const taskDependencies = (runtime: Runtime, startedAt = new Date(0)): TaskDeps => ({
  ...payoutDependencies(runtime),
  graceDays: runtime.config.bankDataGraceDays,
  retention: runtime.config.retention,
  alsoWanted: identityChecksFor(!runtime.config.firebase),
  removeUser: removeUserOf(runtime),
  startedAt,
});
