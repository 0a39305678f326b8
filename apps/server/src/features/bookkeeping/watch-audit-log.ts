import { counted } from '@sparechange/domain/counted';
import type { Logger } from 'pino';
import type { Checkpoint } from '#audit/checkpoint.ts';
import { type CheckpointFile, checkpointLine } from '#audit/checkpoint-file.ts';
import { findLastCheckpoint } from '#audit/checkpoint-repository.ts';
import { type CheckpointDeps, type CheckpointPass, makeCheckpoint } from '#audit/make-checkpoint.ts';
import { problemOfLast } from '#audit/verify-audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets, inTurn } from '#db/in-each-bucket.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';
import { today } from '#ports/clock.ts';

export interface AuditLogDeps extends CheckpointDeps {
  checkpointFile: CheckpointFile;
  log: Logger;
}

const everyMs = 3_600_000;

/**
 * Makes a checkpoint of the audit log of control, and of each bucket, where its last one is an hour old or unfinished; anything
 * not in order raises an alarm, once a day.
 */
export async function watchAuditLog(deps: AuditLogDeps): Promise<void> {
  await inTurn(controlAndBuckets(deps.db), async (place) => {
    const last = await findLastCheckpoint(place);
    if (last?.isComplete && Math.abs(deps.clock.now().getTime() - last.madeAt.getTime()) < everyMs) return;
    await checkpointAndKeep(deps, place);
  });
}

export interface CheckpointResult extends Omit<CheckpointPass, 'checkpoint'> {
  /** Absent where none was made. */
  checkpoint?: Checkpoint;
}

/** Makes a checkpoint of control or of a bucket and keeps it outside the database; makes none while the last one is not in order. */
export async function checkpointAndKeep(deps: AuditLogDeps, place: Pool): Promise<CheckpointResult | undefined> {
  const problem = await problemOfLast(deps.auditKeys, place, await deps.checkpointFile.read());
  const pass = problem ? { violations: [problem], found: 1, leftOut: 0 } : await makeCheckpoint(deps, place);
  if (pass && pass.found > 0) await raiseChanged(deps, pass);
  if (pass && 'checkpoint' in pass) await keep(deps, pass);
  return pass;
}

function raiseChanged(deps: AuditLogDeps, { found, violations: [first] }: Omit<CheckpointPass, 'checkpoint'>) {
  const sentence = `The audit log is not as it was written, in ${counted(found, 'place')}. The first: ${first}. See Reconciliation in the console, or ops audit.`;
  return raiseAlarm(deps, { name: 'audit_log_changed', about: today(deps.clock), sentence });
}

/** Keeps a checkpoint in the file and as a line of the log; a full disk is logged and stops nothing else. */
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
