import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';

/** Rest of a bucket without work, multiplied by the number of buckets: an idle worker makes four queries a second. */
const restPerBucketMs = 250;

/** Gives the buckets of a worker their turns: a batch each, so that a long queue does not hold up other buckets. */
export function bucketTurns({ db, clock }: { db: Pool; clock: Clock }) {
  const turns = db.inBuckets().map((bucket) => ({ bucket, emptyAt: Number.NEGATIVE_INFINITY }));
  const restMs = turns.length > 1 ? turns.length * restPerBucketMs : 0;
  return {
    /** Takes up to `limit` items, from as few buckets as can supply them, skipping buckets that fail. */
    async take<Item>(
      limit: number,
      takeFrom: (bucket: Pool, limit: number) => Promise<Item[]>,
      onFault: (error: unknown) => undefined,
    ): Promise<Item[]> {
      const taken: Item[] = [];
      const now = clock.now().getTime();
      for (const turn of turns.filter(({ emptyAt }) => Math.abs(now - emptyAt) >= restMs)) {
        const free = limit - taken.length;
        if (free === 0) break;
        turns.push(...turns.splice(turns.indexOf(turn), 1));
        const found = (await takeFrom(turn.bucket, free).catch(onFault)) ?? [];
        if (found.length < free) turn.emptyAt = clock.now().getTime(); // it may have taken long to answer
        taken.push(...found);
      }
      return taken;
    },
  };
}
export type BucketTurns = ReturnType<typeof bucketTurns>;
