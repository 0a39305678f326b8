import { auditByNight, type NightlyAuditDeps } from './nightly-audit.ts';
import { reconcileByNight } from './nightly-reconciliation.ts';

type ReconcileDeps = Parameters<typeof reconcileByNight>[0];

export const bookTasks = {
  audit: (deps: NightlyAuditDeps) => auditByNight(deps),
  reconcile: (deps: ReconcileDeps) => reconcileByNight(deps),
};
