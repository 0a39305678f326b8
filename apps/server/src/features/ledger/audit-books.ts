import type { Db } from '#db/connect.ts';
import type { Checks } from './check.ts';
import { checksOfAuditLog } from './checks-of-audit-log.ts';
import { checksOfClubs } from './checks-of-clubs.ts';
import { checksOfDebits } from './checks-of-debits.ts';
import { checksOfDeletions } from './checks-of-deletions.ts';
import { checksOfLedger } from './checks-of-ledger.ts';
import { checksOfPayments } from './checks-of-payments.ts';
import { checksOfReceipts } from './checks-of-receipts.ts';
import { checksOfRefunds } from './checks-of-refunds.ts';
import { checksOfSavings } from './checks-of-savings.ts';
import { checksOfWaits } from './checks-of-waits.ts';

export interface Audit {
  /** One sentence each, with the ids an operator needs. */
  violations: string[];
  /** How many things each check looked at. */
  checked: Record<string, number>;
}

/** The invariants of design 7.8 by name. That each of them bites is tested in audit-books.db.test.ts. */
export const checks: Checks = {
  ...checksOfLedger,
  ...checksOfDebits,
  ...checksOfWaits,
  ...checksOfDeletions,
  ...checksOfRefunds,
  ...checksOfSavings,
  ...checksOfClubs,
  ...checksOfPayments,
  ...checksOfReceipts,
  ...checksOfAuditLog,
};

/** Checks the books. Reads only; at rest and while the product runs. */
export async function auditBooks(db: Db): Promise<Audit> {
  const audit: Audit = { violations: [], checked: {} };
  for (const [name, check] of Object.entries(checks)) {
    const findings = await check(db);
    audit.violations.push(
      ...findings.flatMap(({ violation }) => (violation === null ? [] : [`${name}: ${violation}`])),
    );
    audit.checked[name] = findings.reduce((sum, finding) => sum + finding.checked, 0);
  }
  return audit;
}
