import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { schemaOf } from '#db/scope.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { Conflict } from '#errors.ts';
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
 * Takes the audit log as it is for the next checkpoints, after an operator looked into a violation or restored a backup.
 * Its reason stays in them and in the file. Throws Conflict while a checkpoint is being made.
 */
export async function acceptAuditLog(deps: CheckpointDeps, file: CheckpointFile, reason: string) {
  const { macs } = await file.read();
  const accepted: Checkpoint[] = [];
  for (const place of controlAndBuckets(deps.db)) {
    const lastKept = Math.max(0, ...(macs.get(schemaOf(place.scope))?.keys() ?? []));
    const checkpoint = await inTurnWith(place, () => markEverything(deps, place, lastKept, reason));
    await file.add(checkpoint);
    accepted.push(checkpoint);
  }
  return accepted;
}

/** Works while no checkpoint is made; otherwise throws Conflict. */
async function inTurnWith<Result>(place: Pool, work: () => Promise<Result>): Promise<Result> {
  const done = await withSessionLock(place, checkpointLock, async () => ({ result: await work() }));
  if (!done) throw new Conflict('A checkpoint of the audit log is being made. Run this again.');
  return done.result;
}

function markEverything({ clock, auditKeys }: CheckpointDeps, place: Pool, lastKept: number, reason: string) {
  return place.begin(async (tx): Promise<Checkpoint> => {
    const last = await findLastCheckpoint(tx);
    let [chains, entries] = [0, 0];
    let marksSum: Buffer = Buffer.alloc(32);
    for await (const page of readHeads(tx)) {
      const marks = page.map(({ supporterId, seq, hash }) => ({
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
      place: schemaOf(tx.scope),
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
 * Throws at a mark that does not hold, so that no changed entry is marked again.
 */
export async function remarkChains(deps: CheckpointDeps): Promise<number> {
  const { db, auditKeys } = deps;
  let count = 0;
  for (const place of controlAndBuckets(db))
    await inTurnWith(place, async () => {
      for await (const page of readOutdatedMarks(place, auditKeys.currentKeyId)) {
        const chains = page.map((chain) => {
          const problem = problemOfMark(auditKeys, chain);
          if (problem || !chain.hash)
            throw new Error(`The audit log cannot be marked again: ${problem}. See: ops audit.`);
          return { ...chain, seq: chain.markedSeq, hash: chain.hash };
        });
        await place.begin((tx) => markAndSum(tx, deps, chains, false));
        count += page.length;
      }
    });
  return count;
}
