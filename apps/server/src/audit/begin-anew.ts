import { withSessionLock } from '#db/session-lock.ts';
import { addMarks } from './audit-keys.ts';
import { type Checkpoint, markedText, signCheckpoint } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import {
  addCheckpoint,
  findLastCheckpoint,
  markChains,
  readHeads,
  readOutdatedMarks,
} from './checkpoint-repository.ts';
import { problemOfMark } from './inspect-chain.ts';
import { type CheckpointDeps, checkpointLock } from './make-checkpoint.ts';
import { markAndSum } from './mark-and-sum.ts';

/**
 * Takes the audit log as it is for the next checkpoint, after an operator looked into a violation or restored a backup.
 * Its reason stays in the checkpoint and in the file. Returns undefined while a checkpoint is being made.
 */
export function acceptAuditLog(
  deps: CheckpointDeps,
  file: CheckpointFile,
  reason: string,
): Promise<Checkpoint | undefined> {
  return withSessionLock(deps.db, checkpointLock, async () => {
    const kept = await file.read();
    const checkpoint = await markEverything(deps, Math.max(0, ...kept.macs.keys()), reason);
    await file.add(checkpoint);
    return checkpoint;
  });
}

function markEverything({ db, clock, auditKeys }: CheckpointDeps, lastKept: number, reason: string) {
  return db.begin(async (tx): Promise<Checkpoint> => {
    const last = await findLastCheckpoint(tx);
    let [chains, entries] = [0, 0];
    let marksSum: Buffer = Buffer.alloc(32);
    for await (const page of readHeads(tx)) {
      const marks = page.map(({ place, supporterId, seq, hash }) => ({
        place,
        supporterId,
        seq,
        mark: auditKeys.sign(markedText(supporterId, seq, hash)),
      }));
      await markChains(tx, marks);
      chains += marks.length;
      for (const { seq } of marks) entries += seq;
      marksSum = addMarks(
        marksSum,
        marks.map(({ mark }) => mark),
      );
    }
    const number = Math.max(last?.number ?? 0, lastKept) + 1;
    const content = {
      number,
      madeAt: clock.now(),
      chains,
      entries,
      marksSum,
      isComplete: true,
      acceptedBecause: reason,
    };
    const checkpoint = { ...content, mac: signCheckpoint(auditKeys, content, last?.mac ?? Buffer.alloc(0)) };
    await addCheckpoint(tx, checkpoint);
    return checkpoint;
  });
}

/**
 * Marks with the first data key the chains that an older one marked, after the key was rotated, and returns how many.
 * Throws at a mark that does not hold, so that nothing changed is marked anew.
 */
export async function remarkChains(deps: CheckpointDeps): Promise<number> {
  const { db, auditKeys } = deps;
  const remarked = await withSessionLock(db, checkpointLock, async () => {
    let count = 0;
    for await (const page of readOutdatedMarks(db, auditKeys.currentKeyId)) {
      const chains = page.map((chain) => {
        const problem = problemOfMark(auditKeys, chain);
        if (problem || !chain.hash) throw new Error(`The audit log cannot be marked anew: ${problem}. See: ops audit.`);
        return { ...chain, seq: chain.markedSeq, hash: chain.hash };
      });
      await db.begin((tx) => markAndSum(tx, deps, chains, false));
      count += page.length;
    }
    return count;
  });
  if (remarked === undefined) throw new Error('A checkpoint of the audit log is being made. Run this again.');
  return remarked;
}
