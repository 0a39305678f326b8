import { counted } from '@sparechange/domain/counted';
import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { isOfOneBucket, schemaOf } from '#db/scope.ts';
import { type AuditKeys, addMarks } from './audit-keys.ts';
import { type Checkpoint, checkCheckpoint } from './checkpoint.ts';
import type { CheckpointFile, KeptCheckpoints } from './checkpoint-file.ts';
import { listLastCheckpoints, readChangedChains, readCheckpoints, readMarks } from './checkpoint-repository.ts';
import { chainName, problemOfChanges, problemOfMark } from './inspect-chain.ts';
import { type CheckpointDeps, datesOfChanges } from './make-checkpoint.ts';

export interface Verification {
  /** The first hundred. */
  violations: string[];
  found: number;
  chains: number;
  /** The last of control and of each bucket. */
  checkpoints: Checkpoint[];
}

const maxListed = 100;
const batchSize = 5_000;

type Report = (problem: string | undefined) => void;

/**
 * Checks all chains of the audit log against their marks, the marks against the last checkpoints, and the checkpoints
 * against those kept outside the database. Reads only, from one snapshot of control and of each bucket, beside the
 * running product. One that cannot be read is a violation.
 */
export async function verifyAuditLog(deps: CheckpointDeps, file: CheckpointFile): Promise<Verification> {
  const verification: Verification = { violations: [], found: 0, chains: 0, checkpoints: [] };
  const report: Report = (problem) => {
    if (problem === undefined) return;
    verification.found += 1;
    if (verification.violations.length < maxListed) verification.violations.push(problem);
  };
  const kept = await file.read();
  for (const line of kept.unusable)
    report(`line ${line} of the checkpoint file cannot be read, or contradicts another line`);
  for (const place of controlAndBuckets(deps.db)) {
    const name = schemaOf(place.scope);
    const where = isOfOneBucket(place.scope) ? ` (${name})` : '';
    const reportHere: Report = (problem) => report(problem && problem + where);
    let reached: string | undefined;
    const noteReached = (supporterId: string) => {
      reached = supporterId;
    };
    try {
      await verifyPlace(deps, place, kept.macs.get(name) ?? new Map(), {
        verification,
        report: reportHere,
        noteReached,
      });
    } catch (error) {
      const howFar = reached === undefined ? 'was not read' : `was read no further than ${chainName(reached)}`;
      reportHere(`the audit log ${howFar}: ${(error as Error).message}`);
    }
  }
  return verification;
}

interface Noted {
  verification: Verification;
  report: Report;
  /** Notes the chain that marks were read as far as. */
  noteReached: (supporterId: string) => void;
}

async function verifyPlace(
  deps: CheckpointDeps,
  place: Pool,
  macs: ReadonlyMap<number, string>,
  { verification, report, noteReached }: Noted,
): Promise<void> {
  const dates = await datesOfChanges(deps, place);
  await place.begin(async (tx) => {
    const last = await verifyCheckpoints(tx, deps.auditKeys, macs, report);
    if (last) verification.checkpoints.push(last);
    verification.chains += await verifyMarks(tx, deps.auditKeys, last, { report, noteReached });
    for await (const { page } of readChangedChains(tx, batchSize))
      for (const chain of page) report(problemOfChanges(deps.auditKeys, chain, dates));
  }, 'isolation level repeatable read read only');
}

/** Each checkpoint is signed together with the one before, and each one kept outside is in the database. */
async function verifyCheckpoints(db: Db, keys: AuditKeys, macs: ReadonlyMap<number, string>, report: Report) {
  let last: Checkpoint | undefined;
  const missing = new Set(macs.keys());
  for await (const checkpoint of readCheckpoints(db)) {
    const { number, mac, acceptedBecause } = checkpoint;
    const isNext = number === (last?.number ?? 0) + 1 || acceptedBecause !== null;
    if (!isNext) report(`checkpoints ${(last?.number ?? 0) + 1} to ${number - 1} are gone`);
    else if (checkCheckpoint(keys, checkpoint, last?.mac ?? Buffer.alloc(0)) === 'invalid')
      report(`checkpoint ${number} was changed`);
    const macKept = macs.get(number);
    if (macKept !== undefined && macKept !== mac.toString('hex'))
      report(`checkpoint ${number} differs from the copy kept outside the database`);
    missing.delete(number);
    // An operator looked into what was missing before, and started over.
    if (acceptedBecause !== null) for (const older of missing) if (older < number) missing.delete(older);
    last = checkpoint;
  }
  if (last && !keys.knowsKeyOf(last.mac))
    report(`checkpoint ${last.number} was signed with a data key that is not configured`);
  if (missing.size > 0) {
    const numbers = [...missing];
    report(
      `the database does not hold ${counted(numbers.length, 'checkpoint')} kept outside it, the last is ${Math.max(...numbers)}`,
    );
  }
  return last;
}

async function verifyMarks(
  db: Db,
  keys: AuditKeys,
  last: Checkpoint | undefined,
  { report, noteReached }: Pick<Noted, 'report' | 'noteReached'>,
): Promise<number> {
  let [chains, entries] = [0, 0];
  let sum: Buffer = Buffer.alloc(32);
  let page: Uint8Array[] = [];
  for await (const chain of readMarks(db)) {
    // A chain with new links is checked by problemOfChanges.
    if (chain.seq === chain.markedSeq) report(problemOfMark(keys, chain));
    noteReached(chain.supporterId);
    chains += 1;
    entries += chain.markedSeq;
    page.push(chain.mark);
    if (page.length < batchSize) continue;
    sum = addMarks(sum, page);
    page = [];
  }
  sum = addMarks(sum, page);
  const marked = `the audit log has ${entries} marked entries in ${chains} chains`;
  if (!last) {
    if (chains > 0) report(`${marked}, and there is no checkpoint`);
  } else if (chains !== last.chains || entries !== last.entries)
    report(`${marked}, checkpoint ${last.number} says ${last.entries} in ${last.chains}`);
  else if (!sum.equals(last.marksSum)) report(`the marks do not add up to checkpoint ${last.number}`);
  return chains;
}

/**
 * Returns what is wrong with the last checkpoint of control or of a bucket, if anything: none is made on top of a
 * forged one, or when those kept outside the database go further.
 */
export async function problemOfLast(
  keys: AuditKeys,
  place: Db,
  { macs }: KeptCheckpoints,
): Promise<string | undefined> {
  const [last, before] = await listLastCheckpoints(place, 2);
  const kept = macs.get(schemaOf(place.scope)) ?? new Map<number, string>();
  const lastKept = Math.max(0, ...kept.keys());
  if (lastKept > (last?.number ?? 0))
    return `the database does not hold checkpoint ${lastKept}, which was kept outside it`;
  if (!last) return undefined;
  if (checkCheckpoint(keys, last, before?.mac ?? Buffer.alloc(0)) !== 'valid')
    return `checkpoint ${last.number} was changed, or signed with a data key that is not configured`;
  if ((kept.get(last.number) ?? last.mac.toString('hex')) !== last.mac.toString('hex'))
    return `checkpoint ${last.number} differs from the copy kept outside the database`;
  return undefined;
}
