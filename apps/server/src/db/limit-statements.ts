import type { Pool } from './pool.ts';
import type { Session } from './statement.ts';
import { makeTag } from './tag.ts';

/**
 * Makes pools for reading, whose statements the server ends after `ms`. At most `atOnce` of them run concurrently: each
 * has a connection to itself, and others need some.
 */
export function statementLimiter(ms: number, atOnce: number): (db: Pool) => Pool {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
  const limited = (db: Pool): Pool => {
    const run: Session['run'] = (query) =>
      inTurn(() =>
        db.begin(async (tx) => {
          await tx.unsafe(`set local statement_timeout = ${ms}`);
          return tx.session.run(query);
        }, 'read only'),
      );
    const tag = makeTag({ ...db.session, run }, db.scope);
    const { session, unsafe } = tag;
    return Object.assign(tag, db, { session, unsafe, inBuckets: () => db.inBuckets().map(limited) });
  };
  return limited;
}
