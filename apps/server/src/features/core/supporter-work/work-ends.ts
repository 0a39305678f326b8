import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { type Claim, type EndedWork, recordEnds, releaseClaims } from './work-repository.ts';

/** Tries to record outcomes, and the pause in between, once nothing is in flight any more. */
const maxRecordTries = 5;
const recordAgainMs = 200;

/**
 * Collects the outcomes of claimed work, recorded several supporters at a time; unrecorded ones wait for the next time.
 */
export function workEnds({ db, clock }: { db: Pool; clock: Clock }) {
  const ended: EndedWork[] = [];
  /** Records outcomes, one by one if recording them together fails. */
  async function record(): Promise<void> {
    const now = clock.now();
    const byBucket = Map.groupBy(ended.splice(0), ({ claim }) => db.of(claim.supporterId));
    const recordIn = (bucket: Pool, ends: EndedWork[]) => {
      const recordAlone = (end: EndedWork) => recordEnds(bucket, now, [end]).catch(() => void ended.push(end));
      return recordEnds(bucket, now, ends).catch(() => Promise.all(ends.map(recordAlone)));
    };
    await Promise.all([...byBucket].map(([bucket, ends]) => recordIn(bucket, ends)));
  }
  return {
    add: (end: EndedWork) => void ended.push(end),
    count: () => ended.length,
    record,
    /** Records the rest, pausing after failures; throws if some remain. */
    async recordAtLast(): Promise<void> {
      await record();
      for (let tries = 1; ended.length > 0 && tries <= maxRecordTries; tries += 1) {
        await sleep(recordAgainMs);
        await record();
      }
      if (ended.length > 0) throw new Error(`the work for ${counted(ended.length, 'supporter')} was not recorded`);
    },
    /** Returns claimed work that was not started to other workers. */
    async release(claims: Claim[]): Promise<void> {
      const byBucket = Map.groupBy(claims, ({ supporterId }) => db.of(supporterId));
      await Promise.all([...byBucket].map(([bucket, each]) => releaseClaims(bucket, each)));
    },
  };
}
