import * as contract from '@sparechange/contract/console';
import type { ServeConsole } from '#http/serve-console.ts';
import { type AuditLogCheck, type AuditLogDeps, checkAuditLog } from './watch-audit-log.ts';

const maxShown = 5;

/** Serves the check of the audit log; who asks meanwhile waits for the one that goes on. */
export function auditLogRoutes(serve: ServeConsole, deps: AuditLogDeps): void {
  let checking: Promise<AuditLogCheck> | undefined;

  serve.person(contract.verifyAuditLog, async (_input, _caller, { patiently }) => {
    checking ??= checkAuditLog(deps).finally(() => {
      checking = undefined;
    });
    const checked = await patiently(checking);
    if (!checked) return { outcome: null };
    const { violations, ...counts } = checked;
    return { outcome: { ...counts, first: violations.slice(0, maxShown) } };
  });
}
