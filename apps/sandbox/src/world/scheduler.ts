import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { type Db, table } from './database.ts';

/** Handles a due moment, given as `at` even when late. */
type Handler = (payload: string, at: number) => void;

/** Events at a known moment of the sandbox's clock, kept in the database so that a restart loses none. */
export interface Scheduler {
  on(kind: string, handler: Handler): void;
  schedule(kind: string, dueAt: number, payload?: string): void;
  /** Handles everything due, in order of its moment. */
  runDue(): Promise<void>;
  /** Reads the table again after it was emptied. */
  reload(): void;
}

const events = table<{ id: number; dueAt: number; kind: string; payload: string }, 'id'>('scheduled_events');
const eventsPerTransaction = 500;

export function makeScheduler(db: Db, clock: Clock): Scheduler {
  const handlers = new Map<string, Handler>();
  const next = () => events.find(db, {}, 'order by due_at, id');
  let nextDueAt = next()?.dueAt ?? Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;

  function runNext(): boolean {
    const event = next();
    nextDueAt = event?.dueAt ?? Number.POSITIVE_INFINITY;
    if (event === undefined || event.dueAt > clock.now()) return false;
    events.remove(db, { id: event.id });
    const handler = handlers.get(event.kind);
    if (handler === undefined) throw new Error(`There is no handler of "${event.kind}".`);
    handler(event.payload, event.dueAt);
    return true;
  }

  const runSome = (): boolean =>
    db.atomically(() => {
      for (let left = eventsPerTransaction; left > 0; left -= 1) if (!runNext()) return false;
      return true;
    });

  async function catchUp(): Promise<void> {
    while (runSome()) await setImmediate();
  }

  return {
    on: (kind, handler) => void handlers.set(kind, handler),
    schedule(kind, dueAt, payload = '') {
      db.run('insert or ignore into scheduled_events (due_at, kind, payload) values (?, ?, ?)', dueAt, kind, payload);
      nextDueAt = Math.min(nextDueAt, dueAt);
    },
    runDue() {
      if (running === undefined && nextDueAt > clock.now()) return Promise.resolve();
      running ??= catchUp().finally(() => {
        running = undefined;
      });
      return running;
    },
    reload() {
      nextDueAt = next()?.dueAt ?? Number.POSITIVE_INFINITY;
    },
  };
}
