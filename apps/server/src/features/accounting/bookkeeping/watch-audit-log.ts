import { counted } from '@sparechange/domain/counted';
import type { Logger } from 'pino';
import type { Checkpoint } from '#audit/checkpoint.ts';
import { type CheckpointFile, checkpointLine } from '#audit/checkpoint-file.ts';
import { findLastCheckpoint } from '#audit/checkpoint-repository.ts';
import { type CheckpointDeps, type CheckpointPass, makeCheckpoint } from '#audit/make-checkpoint.ts';
import { problemOfLast, verifyAuditLog } from '#audit/verify-audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets, inTurn } from '#db/in-each-bucket.ts';
import { raiseAlarm } from '#features/core/alarms/alarms.ts';
import { auditChains } from '#features/core/ledger/audit-chains.ts';
import { today } from '#ports/clock.ts';

export interface AuditLogDeps extends CheckpointDeps {
  checkpointFile: CheckpointFile;
  log: Pick<Logger, 'info' | 'error'>;
}

const everyMs = 3_600_000;

/**
 * Makes a checkpoint of the audit log of control, and of each bucket, if its last one is an hour old or unfinished;
 * irregularities raise an alarm, once a day.
 */
export async function watchAuditLog(deps: AuditLogDeps): Promise<void> {
  await inTurn(controlAndBuckets(deps.db), async (place) => {
    const last = await findLastCheckpoint(place);
    if (last?.isComplete && Math.abs(deps.clock.now().getTime() - last.madeAt.getTime()) < everyMs) return;
    await checkpointAndKeep(deps, place);
  });
}

export interface CheckpointResult extends Omit<CheckpointPass, 'checkpoint'> {
  /** Absent if none was made. */
  checkpoint?: Checkpoint;
}

/**
 * Makes a checkpoint of control or of a bucket and stores it outside the database; makes none while the last one is not
 * in order.
 */
export async function checkpointAndKeep(deps: AuditLogDeps, place: Pool): Promise<CheckpointResult | undefined> {
  const problem = await problemOfLast(deps.auditKeys, place, await deps.checkpointFile.read());
  const pass = problem ? { violations: [problem], found: 1, leftOut: 0 } : await makeCheckpoint(deps, place);
  if (pass && pass.found > 0) await raiseChanged(deps, pass);
  if (pass && 'checkpoint' in pass) await keep(deps, pass);
  return pass;
}

export interface AuditLogCheck {
  /** Entries that the last checkpoints cover. */
  entries: number;
  found: number;
  /** First of the findings. */
  violations: string[];
}

/** Makes checkpoints whether or not they are due, and checks the whole log as `ops audit` does. */
export async function checkAuditLog(deps: AuditLogDeps): Promise<AuditLogCheck> {
  await inTurn(controlAndBuckets(deps.db), (place) => checkpointAndKeep(deps, place)).catch((error: unknown) =>
    deps.log.error({ err: error }, 'a checkpoint of the audit log cannot be made'),
  );
  const { checkpoints, ...verified } = await verifyAuditLog(deps, deps.checkpointFile);
  const rows = await auditChains(deps.db);
  const found = verified.found + rows.found;
  const violations = [...verified.violations, ...rows.violations];
  if (found > 0) await raiseChanged(deps, { found, violations });
  return { entries: checkpoints.reduce((sum, { entries }) => sum + entries, 0), found, violations };
}

function raiseChanged(
  deps: AuditLogDeps,
  { found, violations: [first] }: Pick<CheckpointPass, 'found' | 'violations'>,
) {
  const sentence = `The audit log differs from what was written, in ${counted(found, 'place')}. The first: ${first}.`;
  return raiseAlarm(deps, {
    name: 'audit_log_changed',
    about: today(deps.clock),
    sentence,
    see: { page: 'Reconciliation', command: 'audit' },
  });
}

/** Stores a checkpoint in the file and as a log line; a full disk is logged and stops nothing else. */
async function keep({ log, checkpointFile }: AuditLogDeps, { checkpoint, leftOut }: CheckpointPass): Promise<void> {
  log.info({ checkpoint: checkpointLine(checkpoint), leftOut }, 'audit log checkpoint');
  try {
    await checkpointFile.add(checkpoint);
  } catch (error) {
    log.error(
      { err: error, path: checkpointFile.path },
      'a checkpoint of the audit log cannot be kept outside the database',
    );
  }
}
