import type { Db } from '#db/connect.ts';
import { schemaOf } from '#db/scope.ts';
import { addMarks } from './audit-keys.ts';
import { type Checkpoint, markedText, signCheckpoint } from './checkpoint.ts';
import { addCheckpoint, findLastCheckpoint, markChains } from './checkpoint-repository.ts';
import type { CheckpointDeps } from './make-checkpoint.ts';

/** A chain with its present mark, to be marked further. */
export interface ChainToMark {
  supporterId: string;
  seq: number;
  hash: Uint8Array;
  markedSeq: number;
  mark: Uint8Array;
}

/** Marks chains and adds their checkpoint; both need one transaction. */
export async function markAndSum(
  tx: Db,
  { clock, auditKeys }: Pick<CheckpointDeps, 'clock' | 'auditKeys'>,
  chains: ChainToMark[],
  isComplete: boolean,
): Promise<Checkpoint> {
  const last = await findLastCheckpoint(tx);
  const marks = chains.map(({ supporterId, seq, hash }) => ({
    supporterId,
    seq,
    mark: auditKeys.sign(markedText(supporterId, seq, hash)),
  }));
  const marked = chains.filter(({ markedSeq }) => markedSeq > 0);
  const content = {
    place: schemaOf(tx.scope),
    number: (last?.number ?? 0) + 1,
    madeAt: clock.now(),
    chains: (last?.chains ?? 0) + chains.length - marked.length,
    entries: (last?.entries ?? 0) + chains.reduce((sum, { seq, markedSeq }) => sum + seq - markedSeq, 0),
    marksSum: addMarks(
      last?.marksSum ?? Buffer.alloc(32),
      marks.map(({ mark }) => mark),
      marked.map(({ mark }) => mark),
    ),
    isComplete,
    acceptedBecause: null,
  };
  const checkpoint = { ...content, mac: signCheckpoint(auditKeys, content, last?.mac ?? Buffer.alloc(0)) };
  await markChains(tx, marks);
  await addCheckpoint(tx, checkpoint);
  return checkpoint;
}
