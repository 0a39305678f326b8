import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { isOfOneBucket, schemaOf } from '#db/scope.ts';
import type { Check, Checks, Rows } from './check.ts';
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
  /** One sentence each, with ids; the first hundred per check. */
  violations: string[];
  /** Number of things each check looked at. */
  checked: Record<string, number>;
  /** Number of violations, listed or not. */
  found: number;
}

/** Invariants of single supporters: an audit of some supporters is as good for them as one of all. */
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

/** Invariants of runs, clubs and of the platform: a few rows a day, or looked at by day. */
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

/** Limits memory: further violations are only counted. */
const maxListedPerCheck = 100;

/**
 * Checks the books, read-only, also while the product runs: of all buckets, or of the one whose handle is given. Each check
 * sees one state of control and buckets; the lists that these give each other are tables of its transaction.
 */
export async function auditBooks(db: Db | Pool, wanted: Checks = checks, since: IsoDate | null = null): Promise<Audit> {
  const audit: Audit = { violations: [], checked: {}, found: 0 };
  for (const [name, check] of Object.entries(wanted))
    if ('begin' in db)
      await db.begin((tx) => auditBy(tx, name, check, since, audit), 'isolation level repeatable read');
    else await auditBy(db, name, check, since, audit);
  return audit;
}

/** Adds to an audit what one check finds. */
async function auditBy(tx: Db, name: string, check: Check, since: IsoDate | null, audit: Audit): Promise<void> {
  const { asked, said } = 'said' in check ? check : {};
  if (asked) await listIn(tx, 'asked_of_buckets', asked, [tx], since);
  if (said) await listIn(tx, 'said_by_buckets', said, tx.inBuckets(), since);
  for (const place of placesOf(tx, check)) {
    const { found, checked, violations } = await countAndList(place, check, since);
    const where = isOfOneBucket(place.scope) ? ` (${schemaOf(place.scope)})` : '';
    for (const violation of violations) audit.violations.push(`${name}: ${violation}${where}`);
    if (found > violations.length) audit.violations.push(`${name}: and ${found - violations.length} more${where}`);
    audit.checked[name] = (audit.checked[name] ?? 0) + checked;
    audit.found += found;
  }
}

/** Returns the handles over which a check runs. */
function placesOf(db: Db, { home }: Check): Db[] {
  if (home === 'control' || isOfOneBucket(db.scope)) return [db];
  return home === 'both' ? controlAndBuckets(db) : db.inBuckets();
}

/** Fills a table of the transaction with what control, or each bucket, gives. */
async function listIn(tx: Db, name: string, rows: Rows, givers: Db[], since: IsoDate | null): Promise<void> {
  await tx.unsafe(`drop table if exists pg_temp.${name}; create temp table ${name} (${rows.columns}) on commit drop`);
  for (const giver of givers) await giver`insert into ${giver(name)} ${rows.select(giver, since)}`;
  await tx.unsafe(`analyze pg_temp.${name}`);
}

/** Counts in the database, which spills to disk where it has to, and fetches only what is listed. */
async function countAndList(db: Db, { find }: Check, since: IsoDate | null) {
  const [row] = await db<{ found: number; checked: number; violations: string[] }[]>`
    with finding as materialized (${find(db, since)})
    select count(violation) as found, coalesce(sum(checked), 0)::bigint as checked,
      array(select violation from finding where violation is not null limit ${maxListedPerCheck}) as violations
    from finding`;
  return row ?? { found: 0, checked: 0, violations: [] };
}
