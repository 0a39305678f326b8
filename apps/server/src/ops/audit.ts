import { counted } from '@sparechange/domain/counted';
import { acceptAuditLog } from '#audit/accept-audit-log.ts';
import { checkpointLine } from '#audit/checkpoint-file.ts';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { schemaOf } from '#db/scope.ts';
import { nodesInWords, withoutNodes } from '#db/silent-nodes.ts';
import { auditChanges } from '#features/accounting/bookkeeping/audit-changes.ts';
import { findAuditProgress, recordBookCheck } from '#features/accounting/bookkeeping/book-check-repository.ts';
import { listClubReceivables, receivableLines } from '#features/accounting/bookkeeping/club-receivables.ts';
import { checkpointAndKeep } from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { type Audit, addFailure, addSilent, auditBooks, checks } from '#features/core/ledger/audit-books.ts';
import { findClosedUntil } from '#features/core/ledger/booking-day.ts';
import { identityChecksFor } from '#features/core/ledger/checks-of-identity.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

/** Audits everything; the night's own round of it begins a week later. */
async function auditEverything({ db, clock, config }: Runtime): Promise<Audit> {
  const [startedAt, began] = [clock.now(), performance.now()];
  const coveredUntil = (await findClosedUntil(db)) ?? null;
  const audit = await auditBooks(db, { ...checks, ...identityChecksFor(!config.firebase) });
  const tookMs = performance.now() - began;
  if (audit.silentServers.length === 0)
    await recordBookCheck(db, { kind: 'full_audit', startedAt, tookMs, coveredUntil, found: audit.found });
  return audit;
}

/** Audits as the night does. */
async function auditAsByNight({ db, config }: Runtime): Promise<Audit> {
  const { cleanUntil } = await findAuditProgress(db);
  return auditChanges(db, cleanUntil, { alsoWanted: identityChecksFor(!config.firebase) });
}

interface AuditOfLog {
  violations: string[];
  found: number;
  chains?: number;
  /** The last checkpoints, to be noted elsewhere. */
  lines: string[];
}

/** Checks the audit log against marks, and those against checkpoints. */
async function verifyLog(runtime: Runtime): Promise<AuditOfLog> {
  const { checkpoints, ...verification } = await verifyAuditLog(runtime, runtime.checkpointFile);
  return { ...verification, lines: checkpoints.length > 0 ? checkpoints.map(checkpointLine) : ['none yet'] };
}

/** Checks the audit log's new entries, as happens every hour. */
async function verifyChanges(runtime: Runtime): Promise<AuditOfLog> {
  const log: AuditOfLog = { violations: [], found: 0, lines: [] };
  for (const place of controlAndBuckets(runtime.db))
    try {
      const pass = await checkpointAndKeep(runtime, place);
      const { checkpoint, violations, found } = pass ?? { violations: [], found: 0 };
      const none = pass ? 'none was made' : 'another program is making one; run again';
      log.lines.push(checkpoint ? checkpointLine(checkpoint) : none);
      log.violations.push(...violations);
      log.found += found;
    } catch (error) {
      log.violations.push(`${schemaOf(place.scope)} was not read: ${(error as Error).message}`);
      log.found += 1;
    }
  return log;
}

async function accept(runtime: Runtime, reason: string) {
  const checkpoints = await acceptAuditLog(runtime, runtime.checkpointFile, reason);
  const text = checkpoints.map((checkpoint) => `the audit log is taken as it is: ${checkpointLine(checkpoint)}`);
  const json = checkpoints.map(({ place, number, entries }) => ({ place, accepted: number, entries }));
  return { json, text: text.join('\n') };
}

const nameOfCheck = 'the audit log reaches its checkpoints';

export function auditCommand(command: OpsCommand): void {
  command
    .option('--changes', 'only what was booked since the last clean audit, as happens every night')
    .option('--full', 'everything, which is the default')
    .option('--accept-log <reason>', 'accept the audit log as it is, once a violation of it has been investigated')
    .carryOut(async (runtime, _words, { changes, full, acceptLog }) => {
      if ([changes, full, acceptLog].filter(Boolean).length > 1)
        throw new CommandProblem('Give only one of --changes, --full and --accept-log.');
      if (acceptLog) return accept(runtime, String(acceptLog));
      const { db } = runtime;
      const audit = changes ? await auditAsByNight(runtime) : await auditEverything(runtime);
      const answering = { ...runtime, db: withoutNodes(db, audit.silentServers) };
      const log = changes ? await verifyChanges(answering) : await verifyLog(answering);
      const receivables = await listClubReceivables(db).catch(async (error: unknown) => {
        if (!(await addSilent(db, audit, error))) addFailure(audit, 'what clubs owe was not read', error);
        return [];
      });
      const violations = [...audit.violations, ...log.violations.map((violation) => `audit log: ${violation}`)];
      const checked = log.chains === undefined ? audit.checked : { ...audit.checked, [nameOfCheck]: log.chains };
      const found = audit.found + log.found;
      const counts = Object.entries(checked).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
      const { silentServers } = audit;
      const lines = [
        ...violations,
        ...silentServers.map((node) => `NOT CHECKED: the database ${nodesInWords([node])} is silent`),
        ...counts,
        ...receivableLines(receivables),
        ...log.lines.map((line) => `checkpoint of the audit log: ${line}`),
      ];
      const text = [...lines, counted(found, 'violation')].join('\n');
      const json = { violations, checked, found, silentServers, receivables, checkpoints: log.lines };
      return { json, text, failed: found + silentServers.length > 0 };
    });
}
