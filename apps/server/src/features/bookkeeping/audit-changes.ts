import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { type Audit, auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import type { Checks } from '#features/ledger/check.ts';
import { checksOfHistory } from '#features/ledger/checks-of-ledger.ts';
import { chooseRows, listChanges, listEverybody, makeLists, periodSince, takeBatch } from './changed-rows.ts';
import { closeBalances, listToClose, makeListToClose } from './closed-balances.ts';
import { narrowTables, readEntries } from './narrowed-tables.ts';

export interface AuditOfChanges extends Audit {
  /** Supporters whose ledger was looked at. */
  supporters: number;
  batches: number;
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
  /** A day that is over, at whose end the balances of those who are audited are closed. */
  closeUntil?: IsoDate;
  /** True for a round through everybody that ends with the last one, in as many parts as it takes. */
  isRound?: boolean;
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
  const audit = await auditSupporters(db, since, options);
  add(audit, whole);
  return audit;
}

/** Audits supporters; without a day everybody. */
export async function auditSupporters(
  db: Pool,
  since: IsoDate | null,
  options: AuditOptions = {},
): Promise<AuditOfChanges> {
  const { closeUntil } = options;
  const session = await db.reserve();
  try {
    if (closeUntil) await makeListToClose(session);
    await session.unsafe('begin isolation level repeatable read');
    const audit = await auditListed(session, since, options);
    await session.unsafe('commit');
    for (let batch = 1; closeUntil && batch <= audit.batches; batch += 1)
      await closeBalances(session, batch, closeUntil);
    return audit;
  } finally {
    await session.unsafe('rollback; discard temp').catch(() => {}); // a connection that is gone has nothing to put back
    session.release();
  }
}

/** Audits the supporters with changes, in a transaction that sees one state of the books and changes nothing. */
export async function auditListed(
  tx: Db,
  since: IsoDate | null,
  { resumeAfter = null, batchSize = 5_000, maxMs = 30 * 60_000, closeUntil, isRound = false }: AuditOptions,
): Promise<AuditOfChanges> {
  const audit: AuditOfChanges = {
    violations: [],
    checked: {},
    found: 0,
    supporters: 0,
    batches: 0,
    leftOut: 0,
    resumeAfter: null,
  };
  const period = since && periodSince(since);
  const wanted = period ? checksBySupporter : { ...checksBySupporter, ...checksOfHistory };
  await makeLists(tx);
  if (period) await listChanges(tx, period, resumeAfter);
  else await listEverybody(tx, resumeAfter, isRound);
  await chooseRows(tx, period);
  const [listed] = await tx<{ count: number }[]>`select count(*) as count from changed_supporters`;
  audit.leftOut = listed?.count ?? 0;
  if (audit.leftOut > 0) await narrowTables(tx, period);
  const endsAt = performance.now() + maxMs;
  while (audit.leftOut > 0 && (audit.supporters === 0 || performance.now() < endsAt)) {
    const { taken, last } = await takeBatch(tx, batchSize);
    if (period) await readEntries(tx);
    add(audit, await auditBooks(tx, wanted));
    audit.batches += 1;
    if (closeUntil) await listToClose(tx, audit.batches, closeUntil);
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
