import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Checks } from './check.ts';
import { checksOfAuditLog } from './checks-of-audit-log.ts';
import { checksOfClubs } from './checks-of-clubs.ts';
import { checksOfDebits, checksOfRuns } from './checks-of-debits.ts';
import { checksOfDeferrals } from './checks-of-deferrals.ts';
import { checksOfDeletions } from './checks-of-deletions.ts';
import { checksOfGuards, checksOfHistory, checksOfLedger } from './checks-of-ledger.ts';
import { checksOfAllPayments, checksOfPayments } from './checks-of-payments.ts';
import { checksOfPlatform } from './checks-of-platform.ts';
import { checksOfPurchaseRefunds } from './checks-of-purchase-refunds.ts';
import { checksOfPacks, checksOfReceipts } from './checks-of-receipts.ts';
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
  ...checksOfPacks,
  ...checksOfAllPayments,
};

/** Every invariant by name, each tested in audit-books.db.test.ts. */
export const checks: Checks = { ...checksBySupporter, ...checksOfHistory, ...checksOfTheWhole, ...checksOfAuditLog };

/** Limits memory: further violations are only counted. */
const maxListedPerCheck = 100;

/** Checks the books, read-only, also while the product runs. */
export async function auditBooks(db: Db, wanted: Checks = checks, since: IsoDate | null = null): Promise<Audit> {
  const audit: Audit = { violations: [], checked: {}, found: 0 };
  for (const [name, check] of Object.entries(wanted)) {
    const { found, checked, violations } = await countAndList(db, check, since);
    for (const violation of violations) audit.violations.push(`${name}: ${violation}`);
    if (found > violations.length) audit.violations.push(`${name}: and ${found - violations.length} more`);
    audit.checked[name] = checked;
    audit.found += found;
  }
  return audit;
}

/** Counts in the database, which spills to disk where it has to, and fetches only what is listed. */
async function countAndList(db: Db, check: Checks[string], since: IsoDate | null) {
  const [row] = await db<{ found: number; checked: number; violations: string[] }[]>`
    with finding as materialized (${check(db, since)})
    select count(violation) as found, coalesce(sum(checked), 0)::bigint as checked,
      array(select violation from finding where violation is not null limit ${maxListedPerCheck}) as violations
    from finding`;
  return row ?? { found: 0, checked: 0, violations: [] };
}
