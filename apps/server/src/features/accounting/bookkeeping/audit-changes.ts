import type { IsoDate } from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import type { Db, Pool } from '#db/connect.ts';
import { schemaOf } from '#db/scope.ts';
import { isOfCluster, isOnNodes } from '#db/silent-nodes.ts';
import {
  type Audit,
  add,
  addFailure,
  addSilent,
  auditBooks,
  checksBySupporter,
  checksOfTheWhole,
  emptyAudit,
} from '#features/core/ledger/audit-books.ts';
import type { Checks } from '#features/core/ledger/check.ts';
import { checksOfHistory } from '#features/core/ledger/checks-of-ledger.ts';
import type { Batches } from './batches.ts';
import { batchesInSession } from './batches-in-session.ts';
import { batchesOnNodes } from './batches-on-nodes.ts';
import { type IdRange, periodSince } from './changed-rows.ts';
import { refuseUnlisted } from './narrowed-tables.ts';

export interface AuditOfChanges extends Audit {
  /** Supporters whose ledger was audited. */
  supporters: number;
  batches: number;
  /** Changed supporters left out for lack of time. */
  leftOut: number;
  /** Last supporter audited, if some were left out. */
  resumeAfter: string | null;
}

export interface AuditOptions {
  /** Invariants checked besides those of every installation. */
  alsoWanted?: Checks;
  /** Last supporter checked when an audit ran out of time. */
  resumeAfter?: string | null;
  batchSize?: number;
  maxMs?: number;
  /** A past day, at whose end the audited supporters' balances are closed. */
  closeUntil?: IsoDate;
  /** True for a round through everybody that ends with the last one, in several parts if necessary. */
  isFullAudit?: boolean;
}

/**
 * Audits the rows of every supporter touched by the closed days after the given one, in batches, for half an hour at
 * most and from one snapshot per bucket, and then those days. Without a day it audits everything. A failing check is a
 * violation; a node that does not answer is named.
 */
export async function auditChanges(
  db: Pool,
  since: IsoDate | null,
  options: AuditOptions = {},
): Promise<AuditOfChanges> {
  const audit = await auditSupporters(db, since, options);
  add(audit, await auditBooks(db, { ...checksOfTheWhole, ...options.alsoWanted }, since));
  return audit;
}

/**
 * Audits the supporters of every bucket; everybody if no day is given. A bucket that cannot be read is a violation,
 * unless its node does not answer; the other buckets are still audited.
 */
export async function auditSupporters(
  db: Pool,
  since: IsoDate | null,
  { maxMs = 30 * 60_000, ...options }: AuditOptions = {},
): Promise<AuditOfChanges> {
  const audit = newAudit();
  const endsAt = performance.now() + maxMs;
  const visits = visitsOf(db, options);
  let failed = 0;
  for (const { bucket, ...range } of visits)
    try {
      if (isOnNodes(db, bucket, audit.silentServers)) continue;
      await auditBucket(bucket, since, { ...options, range, endsAt }, audit);
    } catch (error) {
      if (await addSilent(db, audit, error)) continue;
      failed += 1;
      if (failed === visits.length) throw error;
      addFailure(audit, `the supporters of ${schemaOf(bucket.scope)} were not audited`, error);
    }
  if (audit.leftOut === 0) audit.resumeAfter = null;
  return audit;
}

/**
 * Returns the buckets in the order of ids, starting after the last supporter of an unfinished audit. Those up to that
 * supporter come last, and not at all in a full audit.
 */
function visitsOf(db: Pool, { resumeAfter = null, isFullAudit = false }: AuditOptions): (IdRange & { bucket: Pool })[] {
  const all = db.inBuckets().map((bucket) => ({ bucket, after: null, until: null }));
  if (resumeAfter === null) return all;
  const bucket = db.of(resumeAfter);
  const at = bucketOf(resumeAfter, all.length);
  const later = [{ bucket, after: resumeAfter, until: null }, ...all.slice(at + 1)];
  return isFullAudit ? later : [...later, ...all.slice(0, at), { bucket, after: null, until: resumeAfter }];
}

async function auditBucket(
  bucket: Pool,
  since: IsoDate | null,
  options: ListedOptions,
  audit: AuditOfChanges,
): Promise<void> {
  const session = await bucket.reserve();
  try {
    await session.unsafe('begin isolation level repeatable read');
    const { batches } = await auditListed(session, since, { isOfCluster: isOfCluster(bucket), ...options }, audit);
    await session.unsafe('commit');
    if (options.closeUntil) await batches.closeBalances(options.closeUntil);
  } finally {
    await session.unsafe('rollback; discard temp').catch(() => {}); // a lost connection has nothing to restore
    session.release();
  }
}

interface ListedOptions extends Pick<AuditOptions, 'batchSize' | 'closeUntil'> {
  range?: IdRange;
  endsAt?: number;
  /** True in a bucket held by a cluster's node. */
  isOfCluster?: boolean;
  /** Invariants of single supporters. */
  wanted?: Checks;
}

const newAudit = (): AuditOfChanges => ({
  ...emptyAudit(),
  supporters: 0,
  batches: 0,
  leftOut: 0,
  resumeAfter: null,
});

/**
 * Audits a bucket's changed supporters, in a read-only transaction on one snapshot. At least one batch is audited,
 * however late it is. Data of the batches stays for closing their balances later. Throws for a check that reads a table
 * not listed in narrowed-tables.ts.
 */
export async function auditListed(
  tx: Db,
  since: IsoDate | null,
  {
    range = { after: null, until: null },
    batchSize = 5_000,
    endsAt = Number.POSITIVE_INFINITY,
    closeUntil,
    isOfCluster = false,
    wanted = since ? checksBySupporter : { ...checksBySupporter, ...checksOfHistory },
  }: ListedOptions = {},
  audit = newAudit(),
): Promise<{ audit: AuditOfChanges; batches: Batches }> {
  const period = since && periodSince(since);
  await refuseUnlisted(tx, wanted);
  const batches = await (isOfCluster ? batchesOnNodes : batchesInSession)(tx, period, range);
  let left = batches.listed;
  while (left > 0 && (audit.supporters === 0 || performance.now() < endsAt)) {
    const { taken, last } = await batches.take(batchSize);
    add(audit, await auditBooks(tx, wanted, null, batches.rows()));
    audit.batches += 1;
    if (closeUntil) await batches.collectBalances(closeUntil);
    audit.supporters += taken;
    left -= taken;
    audit.resumeAfter = last;
  }
  audit.leftOut += left;
  return { audit, batches };
}
