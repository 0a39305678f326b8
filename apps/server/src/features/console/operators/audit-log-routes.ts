import * as contract from '@sparechange/contract/console';
import { unknownPage } from '#errors.ts';
import {
  type AuditLogCheck,
  type AuditLogDeps,
  checkAuditLog,
} from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { isUuid } from '#uuid.ts';
import { findAuditState, listAuditEntries } from './audit-entries.ts';

const maxShown = 5;

/** Serves the audit log and its check; concurrent callers share one check. */
export function auditLogRoutes(serve: ServeConsole, deps: AuditLogDeps): void {
  let checking: Promise<AuditLogCheck> | undefined;

  serve.person(contract.listAuditEntries, async ({ limit, ...filter }) => {
    if (filter.after !== undefined && !isUuid(filter.after)) throw unknownPage();
    const entries = await listAuditEntries(deps.db, { ...filter, limit: limit + 1 });
    return pageOf(entries, limit, ({ id }) => id);
  });

  serve.person(contract.retrieveAuditState, () => findAuditState(deps.db));

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
