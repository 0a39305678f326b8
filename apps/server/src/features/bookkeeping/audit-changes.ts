import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { type Audit, auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import type { Checks } from '#features/ledger/check.ts';
import { checksOfHistory } from '#features/ledger/checks-of-ledger.ts';
import { listChanges, periodSince, takeBatch } from './changed-rows.ts';
import { type ClosedBalance, listBalancesToClose } from './closed-balances.ts';
import { narrowTables } from './narrowed-tables.ts';

export interface AuditOfChanges extends Audit {
  /** Supporters whose ledger was looked at. */
  supporters: number;
  /** Supporters with changes that there was no time for. */
  leftOut: number;
  /** The last supporter looked at, when some were left out. */
  resumeAfter: string | null;
}

export interface AuditOptions {
  /** Invariants checked besides those of every installation. */
  alsoWanted?: Checks;
  /** Last supporter checked when an audit ran out of time. */
  resumeAfter?: string | null;
  batchSize?: number;
  maxMs?: number;
  /** Receives the balances at the end of a day, of those whose entries until then were read. */
  closing?: { until: IsoDate; close(balances: ClosedBalance[]): Promise<void> };
}

/**
 * Audits the closed days after the given one, and the rows that they touched of every supporter, in batches, for half an
 * hour at most and from one snapshot. With no day it looks at everything.
 */
export async function auditChanges(
  db: Pool,
  since: IsoDate | null,
  options: AuditOptions = {},
): Promise<AuditOfChanges> {
  const whole = await auditBooks(db, { ...checksOfTheWhole, ...options.alsoWanted }, since);
  const audit = await db.begin((tx) => auditSupporters(tx, since, options), 'isolation level repeatable read');
  add(audit, whole);
  return audit;
}

/** Audits the supporters with changes, in a transaction that sees one state of the books and changes nothing. */
export async function auditSupporters(
  tx: Db,
  since: IsoDate | null,
  { resumeAfter = null, batchSize = 5_000, maxMs = 30 * 60_000, closing }: AuditOptions,
): Promise<AuditOfChanges> {
  const audit: AuditOfChanges = {
    violations: [],
    checked: {},
    found: 0,
    supporters: 0,
    leftOut: 0,
    resumeAfter: null,
  };
  const period = periodSince(since);
  const wanted = since === null ? { ...checksBySupporter, ...checksOfHistory } : checksBySupporter;
  audit.leftOut = await listChanges(tx, period, resumeAfter);
  if (audit.leftOut > 0) await narrowTables(tx, period);
  const endsAt = performance.now() + maxMs;
  while (audit.leftOut > 0 && (audit.supporters === 0 || performance.now() < endsAt)) {
    const { taken, last } = await takeBatch(tx, period, batchSize);
    add(audit, await auditBooks(tx, wanted));
    if (closing) await closing.close(await listBalancesToClose(tx, closing.until));
    audit.supporters += taken;
    audit.leftOut -= taken;
    audit.resumeAfter = audit.leftOut > 0 ? last : null;
  }
  return audit;
}

function add(audit: Audit, batch: Audit): void {
  for (const violation of batch.violations) if (audit.violations.length < maxListed) audit.violations.push(violation);
  for (const [name, count] of Object.entries(batch.checked)) audit.checked[name] = (audit.checked[name] ?? 0) + count;
  audit.found += batch.found;
}

const maxListed = 1_000;
