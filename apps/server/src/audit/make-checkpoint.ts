import type { Pool } from '#db/connect.ts';
import { movedByMs } from '#db/product-clock.ts';
import { withSessionLock } from '#db/session-lock.ts';
import type { Clock } from '#ports/clock.ts';
import type { AuditKeys } from './audit-keys.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type ChangedChain, countUnmarked, findLastComplete, readChangedChains } from './checkpoint-repository.ts';
import { type Dates, datesBetween, problemOfChanges } from './inspect-chain.ts';
import { markAndSum } from './mark-and-sum.ts';

export interface CheckpointDeps {
  /** Control. */
  db: Pool;
  clock: Clock;
  auditKeys: AuditKeys;
}

export interface CheckpointPass {
  checkpoint: Checkpoint;
  /** Violations of chains that were not marked, the first hundred. */
  violations: string[];
  found: number;
  /** Chains whose new links the pass had no time for. */
  leftOut: number;
}

export interface CheckpointBounds {
  batchSize: number;
  maxMs: number;
}

/** Passes are made beside the emails, which must not wait long; the rest is taken a minute later. */
const boundsIn = ({ scope }: Pool): CheckpointBounds => ({ batchSize: 5_000, maxMs: 30_000 / scope.buckets });
const maxListed = 100;
export const checkpointLock = 'audit checkpoint';

/**
 * Reads what control's or a bucket's audit log gained since its last checkpoint, marks intact chains, and makes a
 * checkpoint of its marks. Returns undefined while another process does. A broken chain is named, now and each time.
 */
export function makeCheckpoint(
  deps: CheckpointDeps,
  place: Pool,
  within = boundsIn(place),
): Promise<CheckpointPass | undefined> {
  return withSessionLock(place, checkpointLock, () => markChanged(deps, place, within));
}

/** Returns new entries' allowed dates; undefined after moving the clock. */
export async function datesOfChanges({ db, clock }: CheckpointDeps, place: Pool): Promise<Dates> {
  if ((await movedByMs(db)) !== 0) return undefined;
  return datesBetween((await findLastComplete(place))?.madeAt, clock.now());
}

async function markChanged(
  deps: CheckpointDeps,
  place: Pool,
  { batchSize, maxMs }: CheckpointBounds,
): Promise<CheckpointPass> {
  const dates = await datesOfChanges(deps, place);
  const endsAt = performance.now() + maxMs;
  const violations: string[] = [];
  let found = 0;
  const inOrder: ChangedChain[] = [];
  const mark = (isLast: boolean) => place.begin((tx) => markAndSum(tx, deps, inOrder.splice(0), isLast));
  for await (const { page, isLast } of readChangedChains(place, batchSize)) {
    for (const chain of page) {
      const problem = problemOfChanges(deps.auditKeys, chain, dates);
      if (problem === undefined) inOrder.push(chain);
      else if (++found <= maxListed) violations.push(problem);
    }
    const isOutOfTime = performance.now() >= endsAt;
    if (isLast || (inOrder.length < batchSize && !isOutOfTime)) continue;
    const checkpoint = await mark(false);
    if (isOutOfTime)
      return { checkpoint, violations, found, leftOut: Math.max(0, (await countUnmarked(place)) - found) };
  }
  return { checkpoint: await mark(true), violations, found, leftOut: 0 };
}
