import type { IsoDate } from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { schemaOf } from '#db/scope.ts';
import { withoutNodes } from '#db/silent-nodes.ts';
import {
  type Audit,
  add,
  addFailure,
  auditBooks,
  checksBySupporter,
  checksOfTheWhole,
  emptyAudit,
} from '#features/ledger/audit-books.ts';
import type { Checks } from '#features/ledger/check.ts';
import { checksOfHistory } from '#features/ledger/checks-of-ledger.ts';
import {
  chooseRows,
  type IdRange,
  listChanges,
  listEverybody,
  makeLists,
  periodSince,
  takeBatch,
} from './changed-rows.ts';
import { closeBalances, collectBalancesToClose, makeBalancesToClose } from './closed-balances.ts';
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
  isFullAudit?: boolean;
}

/**
 * Audits the rows of every supporter that the closed days after the given one touched, in batches, for half an hour at most
 * and from one snapshot a bucket, and then those days. With no day it looks at everything, and on a cluster always. A check
 * that fails is a violation.
 */
export async function auditChanges(
  db: Pool,
  since: IsoDate | null,
  options: AuditOptions = {},
): Promise<AuditOfChanges> {
  if (readsAll(db)) return auditAll(db, options);
  const audit = await auditSupporters(db, since, options);
  add(audit, await auditBooks(db, { ...checksOfTheWhole, ...options.alsoWanted }, since));
  return audit;
}

/** Returns whether every audit reads everything: on nodes of a cluster a session has no tables and views of its own. */
export const readsAll = (db: Pool): boolean => db.nodes.ofBuckets !== undefined;

async function auditAll(db: Pool, { alsoWanted }: AuditOptions): Promise<AuditOfChanges> {
  const audit = newAudit();
  add(audit, await auditBooks(db, { ...checksBySupporter, ...checksOfHistory, ...checksOfTheWhole, ...alsoWanted }));
  const read = withoutNodes(db, audit.silentServers).inBuckets();
  const counts = await rowsOf(read, (bucket) => bucket<{ count: number }[]>`select count(*) as count from supporters`);
  return { ...audit, supporters: counts.reduce((sum, { count }) => sum + count, 0) };
}

/**
 * Audits the supporters of every bucket; without a day everybody. A bucket that cannot be read is a violation, and keeps
 * no other from being audited.
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
      await auditBucket(bucket, since, { ...options, range, endsAt }, audit);
    } catch (error) {
      failed += 1;
      if (failed === visits.length) throw error;
      addFailure(audit, `the supporters of ${schemaOf(bucket.scope)} were not audited`, error);
    }
  if (audit.leftOut === 0) audit.resumeAfter = null;
  return audit;
}

/**
 * Returns the buckets in the order of ids, first the supporters after the one at whom an audit ran out of time. Those up to
 * that one come last, and in a round not again.
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
  const { closeUntil } = options;
  const first = audit.batches + 1;
  const session = await bucket.reserve();
  try {
    if (closeUntil) await makeBalancesToClose(session);
    await session.unsafe('begin isolation level repeatable read');
    await auditListed(session, since, options, audit);
    await session.unsafe('commit');
    for (let batch = first; closeUntil && batch <= audit.batches; batch += 1)
      await closeBalances(session, batch, closeUntil);
  } finally {
    await session.unsafe('rollback; discard temp').catch(() => {}); // a connection that is gone has nothing to put back
    session.release();
  }
}

interface ListedOptions extends Pick<AuditOptions, 'batchSize' | 'closeUntil'> {
  range?: IdRange;
  endsAt?: number;
}

const newAudit = (): AuditOfChanges => ({
  ...emptyAudit(),
  supporters: 0,
  batches: 0,
  leftOut: 0,
  resumeAfter: null,
});

/**
 * Audits the supporters of a bucket with changes, in a transaction that sees one state of the books and changes nothing. At
 * least one batch is audited, however late it is.
 */
export async function auditListed(
  tx: Db,
  since: IsoDate | null,
  {
    range = { after: null, until: null },
    batchSize = 5_000,
    endsAt = Number.POSITIVE_INFINITY,
    closeUntil,
  }: ListedOptions,
  audit = newAudit(),
): Promise<AuditOfChanges> {
  const period = since && periodSince(since);
  const wanted = period ? checksBySupporter : { ...checksBySupporter, ...checksOfHistory };
  await makeLists(tx);
  if (period) await listChanges(tx, period, range);
  else await listEverybody(tx, range);
  const [listed] = await tx<{ count: number }[]>`select count(*) as count from changed_supporters`;
  let left = listed?.count ?? 0;
  const isNext = () => left > 0 && (audit.supporters === 0 || performance.now() < endsAt);
  if (isNext()) {
    await chooseRows(tx, period);
    await narrowTables(tx, period);
  }
  while (isNext()) {
    const { taken, last } = await takeBatch(tx, batchSize);
    if (period) await readEntries(tx);
    add(audit, await auditBooks(tx, wanted));
    audit.batches += 1;
    if (closeUntil) await collectBalancesToClose(tx, audit.batches, closeUntil);
    audit.supporters += taken;
    left -= taken;
    audit.resumeAfter = last;
  }
  audit.leftOut += left;
  return audit;
}
