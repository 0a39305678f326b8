import type { Pool } from '#db/connect.ts';
import { movedByMs } from '#db/product-clock.ts';
import { withSessionLock } from '#db/session-lock.ts';
import type { Clock } from '#ports/clock.ts';
import type { AuditKeys } from './audit-keys.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type ChangedChain, countUnmarked, findLastComplete, listChangedChains } from './checkpoint-repository.ts';
import { type Dates, datesBetween, problemOfChanges } from './inspect-chain.ts';
import { markAndSum } from './mark-and-sum.ts';

export interface CheckpointDeps {
  db: Pool;
  clock: Clock;
  auditKeys: AuditKeys;
}

export interface CheckpointPass {
  checkpoint: Checkpoint;
  /** Violations of chains that were not marked, the first hundred. */
  violations: string[];
  found: number;
  /** Chains with new links that there was no time for. */
  leftOut: number;
}

export interface CheckpointBounds {
  batchSize: number;
  maxMs: number;
}

/** A pass is made beside the mails, which must not wait long; what is left is taken a minute later. */
const bounds: CheckpointBounds = { batchSize: 5_000, maxMs: 30_000 };
const maxListed = 100;
export const checkpointLock = 'audit checkpoint';

/**
 * Reads what the audit log gained since the last checkpoint, marks the chains that are in order, and makes a checkpoint of
 * all marks. Returns undefined while another program does. A chain that is not in order is named, now and each time.
 */
export function makeCheckpoint(deps: CheckpointDeps, within = bounds): Promise<CheckpointPass | undefined> {
  return withSessionLock(deps.db, checkpointLock, () => markChanged(deps, within));
}

/** Returns new entries' allowed dates; undefined with a moved clock. */
export async function datesOfChanges({ db, clock }: Pick<CheckpointDeps, 'db' | 'clock'>): Promise<Dates> {
  if ((await movedByMs(db)) !== 0) return undefined;
  return datesBetween((await findLastComplete(db))?.madeAt, clock.now());
}

async function markChanged(deps: CheckpointDeps, { batchSize, maxMs }: CheckpointBounds): Promise<CheckpointPass> {
  const dates = await datesOfChanges(deps);
  const endsAt = performance.now() + maxMs;
  const violations: string[] = [];
  let found = 0;
  let after: string | null = null;
  for (;;) {
    const page: ChangedChain[] = await listChangedChains(deps.db, after, batchSize);
    after = page.at(-1)?.supporterId ?? after;
    const inOrder = page.filter((chain) => {
      const problem = problemOfChanges(deps.auditKeys, chain, dates);
      if (problem === undefined) return true;
      found += 1;
      if (violations.length < maxListed) violations.push(problem);
      return false;
    });
    const isLast = page.length < batchSize;
    const isOutOfTime = !isLast && performance.now() >= endsAt;
    const checkpoint = await deps.db.begin((tx) => markAndSum(tx, deps, inOrder, isLast));
    if (isLast || isOutOfTime) {
      const leftOut = isLast ? 0 : Math.max(0, (await countUnmarked(deps.db)) - found);
      return { checkpoint, violations, found, leftOut };
    }
  }
}
