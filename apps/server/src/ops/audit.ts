import { counted } from '@sparechange/domain/counted';
import { acceptAuditLog } from '#audit/begin-anew.ts';
import { checkpointLine } from '#audit/checkpoint-file.ts';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { auditChanges } from '#features/bookkeeping/audit-changes.ts';
import { findAudited, recordBookCheck } from '#features/bookkeeping/book-check-repository.ts';
import { listClubReceivables } from '#features/bookkeeping/club-receivables.ts';
import { checkpointAndKeep } from '#features/bookkeeping/watch-audit-log.ts';
import { type Audit, auditBooks, checks } from '#features/ledger/audit-books.ts';
import { findClosedUntil } from '#features/ledger/booking-day.ts';
import { identityChecksFor } from '#features/ledger/checks-of-identity.ts';
import type { Runtime } from '#runtime/compose.ts';
import { receivableLines } from './ledger.ts';
import { CommandProblem, type OpsCommand } from './operate.ts';

/** Audits everything; the night's own round of it begins a week later. */
async function auditEverything({ db, clock, config }: Runtime): Promise<Audit> {
  const [startedAt, began] = [clock.now(), performance.now()];
  const coveredUntil = (await findClosedUntil(db)) ?? null;
  const audit = await auditBooks(db, { ...checks, ...identityChecksFor(config) });
  const tookMs = performance.now() - began;
  await recordBookCheck(db, { kind: 'full_audit', startedAt, tookMs, coveredUntil, found: audit.found });
  return audit;
}

/** Audits as the night does. */
async function auditAsByNight({ db, config }: Runtime): Promise<Audit> {
  const { cleanUntil } = await findAudited(db);
  return auditChanges(db, cleanUntil, { alsoWanted: identityChecksFor(config) });
}

interface AuditOfLog {
  violations: string[];
  found: number;
  chains?: number;
  /** The last checkpoint, to be noted elsewhere. */
  line: string;
}

/** Checks the audit log against marks, and those against checkpoints. */
async function verifyLog(runtime: Runtime): Promise<AuditOfLog> {
  const { violations, found, chains, checkpoint } = await verifyAuditLog(runtime, runtime.checkpointFile);
  return { violations, found, chains, line: checkpoint ? checkpointLine(checkpoint) : 'none yet' };
}

/** Checks the audit log's new entries, as happens every hour. */
async function verifyChanges(runtime: Runtime): Promise<AuditOfLog> {
  const pass = await checkpointAndKeep(runtime);
  if (!pass) return { violations: [], found: 0, line: 'another program is making one; run again' };
  const { violations, found, checkpoint } = pass;
  return { violations, found, line: checkpoint ? checkpointLine(checkpoint) : 'none was made' };
}

async function accept(runtime: Runtime, reason: string) {
  const checkpoint = await acceptAuditLog(runtime, runtime.checkpointFile, reason);
  if (!checkpoint) throw new CommandProblem('A checkpoint of the audit log is being made. Run this again.');
  const text = `the audit log is taken as it is: ${checkpointLine(checkpoint)}`;
  return { json: { accepted: checkpoint.number, entries: checkpoint.entries }, text };
}

const nameOfCheck = 'the audit log reaches its checkpoints';

export function auditCommand(program: OpsCommand): void {
  program
    .command('audit')
    .description('check every invariant of the books; exit 1 on a violation')
    .option('--changes', 'only what was booked since the last audit that found nothing, as happens every night')
    .option('--full', 'everything, which is the default')
    .option('--accept-log <reason>', 'take the audit log as it is, after a violation of it was looked into')
    .carryOut(async (runtime, _words, { changes, full, acceptLog }) => {
      if ([changes, full, acceptLog].filter(Boolean).length > 1)
        throw new CommandProblem('Say one of --changes, --full and --accept-log.');
      if (acceptLog) return accept(runtime, String(acceptLog));
      const { db } = runtime;
      const audit = changes ? await auditAsByNight(runtime) : await auditEverything(runtime);
      const log = changes ? await verifyChanges(runtime) : await verifyLog(runtime);
      const violations = [...audit.violations, ...log.violations.map((violation) => `audit log: ${violation}`)];
      const checked = log.chains === undefined ? audit.checked : { ...audit.checked, [nameOfCheck]: log.chains };
      const found = audit.found + log.found;
      const counts = Object.entries(checked).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
      const receivables = await listClubReceivables(db);
      const lines = [
        ...violations,
        ...counts,
        ...receivableLines(receivables),
        `checkpoint of the audit log: ${log.line}`,
      ];
      const text = [...lines, counted(found, 'violation')].join('\n');
      return { json: { violations, checked, found, receivables, checkpoint: log.line }, text, failed: found > 0 };
    });
}
