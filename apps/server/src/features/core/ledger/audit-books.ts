import type { IsoDate } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { copyRows } from '#db/copy-rows.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { isOfOneBucket, schemaOf } from '#db/scope.ts';
import { findSilentBehind, isOnNodes } from '#db/silent-nodes.ts';
import type { Check, Checks, Comparison, Rows } from './check.ts';
import { checksOfAuditLog } from './checks-of-audit-log.ts';
import { checksOfClubs } from './checks-of-clubs.ts';
import { checksOfDebits, checksOfRuns } from './checks-of-debits.ts';
import { checksOfDeferrals } from './checks-of-deferrals.ts';
import { checksOfDeletions } from './checks-of-deletions.ts';
import { checksOfGuards, checksOfHistory, checksOfLedger } from './checks-of-ledger.ts';
import { checksOfAllPayments, checksOfPayments } from './checks-of-payments.ts';
import { checksOfPlatform } from './checks-of-platform.ts';
import { checksOfPurchaseRefunds } from './checks-of-purchase-refunds.ts';
import { checksOfAdvices, checksOfReceipts } from './checks-of-receipts.ts';
import { checksOfRepayments } from './checks-of-repayments.ts';
import { checksOfSavings } from './checks-of-savings.ts';

export interface Audit {
  /** One sentence per violation, with ids; each check's first hundred. */
  violations: string[];
  /** Number of items each check examined. */
  checked: Record<string, number>;
  /** Number of violations, listed or not. */
  found: number;
  /** Silent nodes; checks that need them were not made. */
  silentServers: string[];
}

export const emptyAudit = (): Audit => ({ violations: [], checked: {}, found: 0, silentServers: [] });

/** Invariants of single supporters, so an audit may cover some supporters only. */
export const checksBySupporter: Checks = {
  ...checksOfLedger,
  ...checksOfDebits,
  ...checksOfDeferrals,
  ...checksOfDeletions,
  ...checksOfPurchaseRefunds,
  ...checksOfRepayments,
  ...checksOfSavings,
  ...checksOfPayments,
  ...checksOfReceipts,
};

/** Invariants of runs, clubs and the platform: a few rows a day, or checked by day. */
export const checksOfTheWhole: Checks = {
  ...checksOfGuards,
  ...checksOfRuns,
  ...checksOfClubs,
  ...checksOfPlatform,
  ...checksOfAdvices,
  ...checksOfAllPayments,
};

/** Every invariant by name, each tested in audit-books.db.test.ts. */
export const checks: Checks = { ...checksBySupporter, ...checksOfHistory, ...checksOfTheWhole, ...checksOfAuditLog };

/** Memory limits: further violations are only counted. */
const maxListedPerCheck = 100;
const maxListed = 1_000;

/**
 * Audits the books, read-only, also while the product runs: all buckets, or the one whose handle is given. Each check
 * reads one snapshot of control or of a bucket; `rows`, parts of a WITH, replace the tables of the same names. A
 * failing check is a violation, and its bucket is left out from then on, without a violation if its server is silent;
 * in the caller's transaction it throws.
 */
export async function auditBooks(
  db: Db | Pool,
  wanted: Checks = checks,
  since: IsoDate | null = null,
  rows?: Part,
): Promise<Audit> {
  const audit = emptyAudit();
  const unread = new Set<Db>();
  for (const [name, check] of Object.entries(wanted))
    for (const place of placesOf(db, check)) {
      if (unread.has(place) || needsSilent(db, place, check, audit)) continue;
      const isBucket = isOfOneBucket(place.scope);
      const where = isBucket ? schemaOf(place.scope) : '';
      try {
        add(audit, named(name, where, await findingsIn(place, check, since, rows)));
      } catch (error) {
        if (!('begin' in db)) throw error;
        if (await addSilent(db, audit, error)) continue;
        if (isBucket) unread.add(place);
        addFailure(audit, isBucket ? `${where} was not audited from "${name}" on` : `${name}: was not checked`, error);
      }
    }
  return audit;
}

const needsSilent = (db: Db | Pool, place: Db, check: Check, { silentServers }: Audit): boolean =>
  'begin' in db && silentServers.length > 0 && ('reported' in check || isOnNodes(db, place, silentServers));

/** Adds the silent nodes that caused an error; returns whether there are any. */
export async function addSilent(db: Pool, audit: Audit, error: unknown): Promise<boolean> {
  const silentServers = await findSilentBehind(db, error);
  add(audit, { ...emptyAudit(), silentServers });
  return silentServers.length > 0;
}

/** Merges one audit into another; beyond a thousand, violations are only counted. */
export function add(audit: Audit, { violations, checked, found, silentServers }: Audit): void {
  audit.silentServers = [...new Set([...audit.silentServers, ...silentServers])].toSorted();
  audit.violations.push(...violations.slice(0, maxListed - audit.violations.length));
  for (const [name, count] of Object.entries(checked)) audit.checked[name] = (audit.checked[name] ?? 0) + count;
  audit.found += found;
}

/** Adds a violation for a check that failed to run. */
export const addFailure = (audit: Audit, what: string, error: unknown): void =>
  add(audit, { ...emptyAudit(), violations: [`${what}: ${(error as Error).message}`], found: 1 });

/** Returns the handles over which a check runs. */
function placesOf(db: Db, { home }: Check): Db[] {
  if (home === 'control' || isOfOneBucket(db.scope)) return [db];
  return home === 'both' ? controlAndBuckets(db) : db.inBuckets();
}

/** Collects a check's findings; of violations, the first hundred. */
interface Findings {
  found: number;
  checked: number;
  violations: string[];
}

function named(name: string, bucket: string, { found, checked, violations }: Findings): Audit {
  const where = bucket && ` (${bucket})`;
  const more = found - violations.length;
  return {
    ...emptyAudit(),
    violations: [
      ...violations.map((violation) => `${name}: ${violation}${where}`),
      ...(more > 0 ? [`${name}: and ${more} more${where}`] : []),
    ],
    checked: { [name]: checked },
    found,
  };
}

/**
 * Runs a check in one place. A comparison's findings are checked a second time, since control and buckets were read at
 * two moments.
 */
async function findingsIn(place: Db | Pool, check: Check, since: IsoDate | null, rows?: Part): Promise<Findings> {
  const look = () =>
    inSnapshot(place, async (tx) => {
      if ('reported' in check) await askBuckets(tx, place.inBuckets(), check, since);
      return countAndList(tx, check, since, rows);
    });
  const first = await look();
  return 'reported' in check && first.found > 0 ? foundTwice(first, await look()) : first;
}

/** Runs in a transaction that reads one snapshot, or in the caller's. */
const inSnapshot = <Result>(db: Db | Pool, work: (tx: Db) => Promise<Result>): Promise<Result> =>
  'begin' in db ? db.begin(work, 'isolation level repeatable read') : work(db);

/** Drops violations found by only one of two checks, unless not all are listed. */
function foundTwice(first: Findings, again: Findings): Findings {
  if ([first, again].some(({ found, violations }) => found > violations.length)) return again;
  const violations = first.violations.filter((violation) => again.violations.includes(violation));
  return { ...again, violations, found: violations.length };
}

/**
 * Fills a table of control's transaction with each bucket's answer, from a snapshot no older than control's: a day
 * closed in control is then also closed there.
 */
async function askBuckets(tx: Db, buckets: (Db | Pool)[], { requested, reported }: Comparison, since: IsoDate | null) {
  await tx`set local idle_in_transaction_session_timeout = 0`; // it waits for the buckets
  await makeTable(tx, 'reported_by_buckets', reported);
  for (const bucket of buckets)
    await inSnapshot(bucket, async (answering) => {
      if (requested) {
        await makeTable(answering, 'requested_of_buckets', requested);
        await copyRows(tx, requested.select(tx, since), answering, 'requested_of_buckets');
      }
      await copyRows(answering, reported.select(answering, since), tx, 'reported_by_buckets');
    });
  await tx`analyze pg_temp.reported_by_buckets`;
}

const makeTable = (tx: Db, name: string, { columns }: Rows) =>
  tx.unsafe(`drop table if exists pg_temp.${name}; create temp table ${name} (${columns}) on commit drop`);

/** Counts in the database, which spills to disk if necessary, and fetches only the listed violations. */
async function countAndList(db: Db, { find }: Check, since: IsoDate | null, rows?: Part): Promise<Findings> {
  const [row] = await db<Findings[]>`
    with ${rows ?? db.unsafe('')} finding as materialized (${find(db, since)})
    select count(violation) as found, coalesce(sum(checked), 0)::bigint as checked,
      array(select violation from finding where violation is not null limit ${maxListedPerCheck}) as violations
    from finding`;
  return row ?? { found: 0, checked: 0, violations: [] };
}
