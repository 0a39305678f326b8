import type { Db, Pool } from '#db/connect.ts';

const refuse = () => {
  throw new Error('A transaction reaches no other server.');
};

/** Takes the way to other buckets from a transaction or session. */
const alone = <Handle extends Db>(db: Handle): Handle =>
  new Proxy(db, {
    get: (target, name, own) => (name === 'of' || name === 'inBuckets' ? refuse : Reflect.get(target, name, own)),
  });

/**
 * Returns a pool as where each bucket is on a server of its own: its transactions reach their own tables alone. `before`
 * comes before each transaction of a bucket.
 */
export function apart(pool: Pool, before = async () => {}): Pool {
  const handle = (own: Pool, isBucket: boolean): Pool =>
    new Proxy(own, {
      get(target, name, receiver) {
        if (name === 'reserve') return async () => alone(await target.reserve());
        if (name === 'begin')
          return async <Result>(work: (tx: Db) => Promise<Result>, mode?: string) => {
            if (isBucket) await before();
            return target.begin((tx) => work(alone(tx)), mode);
          };
        if (name === 'inBuckets') return () => pool.inBuckets().map((bucket) => handle(bucket, true));
        if (name === 'of') return (supporterId: string) => handle(pool.of(supporterId), true);
        return Reflect.get(target, name, receiver);
      },
    });
  return handle(pool, false);
}
