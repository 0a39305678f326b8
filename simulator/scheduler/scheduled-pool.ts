import type { Db, Pool } from '@sparechange/server/db/connect.ts';
import type { OpenTransaction, Session } from '@sparechange/server/db/statement.ts';
import { makeTag } from '@sparechange/server/db/tag.ts';
import { HeldSessions } from './held-sessions.ts';
import type { Scheduler } from './scheduler.ts';

/** The statement's first words: they tell where a process ended. */
const nameOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 60);

/** A session whose statements, cursors' included, take turns. */
function scheduledSession(session: Session, scheduler: Scheduler, held: HeldSessions): Session {
  const oneByOne =
    (run: Session['run']): Session['run'] =>
    (query) =>
      scheduler.take(
        'statement',
        () => nameOf(query.text),
        () => run(query),
      );
  return {
    run: oneByOne(session.run),
    openTransaction: async () => {
      if (scheduler.crash) throw scheduler.crash;
      const opened = await session.openTransaction();
      const transaction: OpenTransaction = {
        run: oneByOne(opened.run),
        close: async () => {
          if (!scheduler.crash) await held.closeTransaction(opened);
        },
      };
      held.holdTransaction(opened);
      return transaction;
    },
  };
}

/**
 * A pool whose statements and transactions take turns; a transaction is one thing, which happens or does not. The sessions of
 * an ended process stay held until they are taken from it.
 */
export function scheduledPool(pool: Pool, scheduler: Scheduler, held = new HeldSessions()): Pool {
  const tagOf = (db: Db) => makeTag(scheduledSession(db.session, scheduler, held), db.scope);
  const begin = <Result>(work: (tx: Db) => Promise<Result>, mode?: string) => {
    const here = new Error('here');
    return scheduler.take(
      'transaction',
      () => placeOf(here),
      () => pool.begin(work, mode),
    );
  };
  const reserve = async () => {
    if (scheduler.crash) throw scheduler.crash;
    const reserved = await pool.reserve();
    if (scheduler.crash) {
      reserved.release();
      throw scheduler.crash;
    }
    held.hold(reserved);
    const release = () => {
      if (!scheduler.crash) held.release(reserved);
    };
    return Object.assign(tagOf(reserved), { release, lost: reserved.lost });
  };
  const of = (supporterId: string) => scheduledPool(pool.of(supporterId), scheduler, held);
  const inBuckets = () => pool.inBuckets().map((each) => scheduledPool(each, scheduler, held));
  const inControl = () => scheduledPool(pool.inControl(), scheduler, held);
  const { connections, nodes, listen, end } = pool;
  return Object.assign(tagOf(pool), { begin, reserve, of, inBuckets, inControl, connections, nodes, listen, end });
}

/** The function that began the transaction. */
function placeOf({ stack = '' }: Error): string {
  const line = stack.split('\n').find((each) => each.includes('/apps/server/src/'));
  return /at (?:async )?(\S+) \(/.exec(line ?? '')?.[1] ?? 'somewhere';
}
