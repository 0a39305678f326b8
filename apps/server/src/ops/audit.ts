import type { Command } from 'commander';
import { auditChanges } from '#features/bookkeeping/audit-changes.ts';
import { findAudited, recordBookCheck } from '#features/bookkeeping/book-check-repository.ts';
import { listClubReceivables } from '#features/bookkeeping/club-receivables.ts';
import { type Audit, auditBooks, checks } from '#features/ledger/audit-books.ts';
import { findClosedUntil } from '#features/ledger/booking-day.ts';
import { checksOfIdentity } from '#features/ledger/checks-of-identity.ts';
import type { Runtime } from '#runtime/compose.ts';
import { receivableLines } from './ledger.ts';
import { operate } from './operate.ts';

/** A full audit that finds nothing lets the nightly one begin where it ended. */
async function auditEverything({ db, clock, config }: Runtime): Promise<Audit> {
  const [startedAt, began] = [clock.now(), performance.now()];
  const coveredUntil = (await findClosedUntil(db)) ?? null;
  const audit = await auditBooks(db, config.firebase ? checks : { ...checks, ...checksOfIdentity });
  const tookMs = performance.now() - began;
  await recordBookCheck(db, { kind: 'full_audit', startedAt, tookMs, coveredUntil, found: audit.found });
  return audit;
}

export function auditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('check every invariant of the books; exit 1 on a violation')
    .option('--changes', 'only what was booked since the last audit that found nothing, as happens every night')
    .option('--full', 'everything, which is the default');
  operate(command, async (runtime, _words, { changes }) => {
    const { db } = runtime;
    const audit = changes ? await auditChanges(db, (await findAudited(db)).cleanUntil) : await auditEverything(runtime);
    const { violations, checked, found } = audit;
    const counts = Object.entries(checked).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
    const receivables = await listClubReceivables(db);
    const text = [...violations, ...counts, ...receivableLines(receivables), `${found} violations`].join('\n');
    return { json: { violations, checked, found, receivables }, text, failed: found > 0 };
  });
}
