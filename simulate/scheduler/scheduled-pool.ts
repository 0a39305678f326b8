import type { Pool } from '../../apps/server/src/db/connect.ts';
import type { Scheduler } from './scheduler.ts';

/** The part of a postgres.js query that runs it, lazily and once. */
interface Runnable extends Promise<unknown> {
  handler(query: Runnable): void;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

const isRunnable = (value: unknown): value is Runnable =>
  value instanceof Promise && 'handler' in value && typeof value.handler === 'function';

/** The statement's first words: enough to say where a program ended. */
function nameOf(strings: unknown): string {
  const text = Array.isArray(strings) ? String(strings[0]) : String(strings);
  return text.replace(/\s+/g, ' ').trim().slice(0, 60);
}

/** A fragment of another statement never runs by itself, so the turn is taken only when the query is run. */
function scheduleWhenRun(query: Runnable, scheduler: Scheduler, what: () => string): void {
  const run = query.handler;
  query.handler = (self) => {
    const { resolve, reject } = self;
    const work = () =>
      new Promise<unknown>((done, fail) => {
        self.resolve = done;
        self.reject = fail;
        run(self);
      });
    scheduler.take('statement', what, work).then(
      (value) => resolve.call(self, value),
      (reason) => reject.call(self, reason),
    );
  };
}

/** A pool whose statements and transactions take turns; a transaction is one thing, which happens or does not. */
export function scheduledPool(pool: Pool, scheduler: Scheduler): Pool {
  return new Proxy(pool, {
    apply: (target, self, args: unknown[]) => {
      const made: unknown = Reflect.apply(target, self, args);
      if (isRunnable(made)) scheduleWhenRun(made, scheduler, () => nameOf(args[0]));
      return made;
    },
    get: (target, property, receiver) => {
      if (property === 'begin') {
        return (work: Parameters<Pool['begin']>[1]) => {
          const here = new Error('here');
          return scheduler.take(
            'transaction',
            () => placeOf(here),
            () => target.begin(work),
          );
        };
      }
      if (property === 'reserve') {
        return async () => {
          const session = await target.reserve();
          return scheduledPool(session as unknown as Pool, scheduler);
        };
      }
      if (property === 'unsafe') {
        return (...args: Parameters<Pool['unsafe']>) => {
          const made: unknown = target.unsafe(...args);
          if (isRunnable(made)) scheduleWhenRun(made, scheduler, () => nameOf(args[0]));
          return made;
        };
      }
      return Reflect.get(target, property, receiver);
    },
  });
}

/** The function that began the transaction. */
function placeOf({ stack = '' }: Error): string {
  const line = stack.split('\n').find((each) => each.includes('/apps/server/src/'));
  return /at (?:async )?(\S+) \(/.exec(line ?? '')?.[1] ?? 'somewhere';
}
