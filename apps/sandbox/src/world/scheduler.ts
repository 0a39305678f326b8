import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { Db } from './database.ts';

/** Handles a due moment, given as `at` even when late. */
export type Happening = (payload: string, at: number) => void;

/** Things that will happen at a known moment of the sandbox's clock, kept in the database so that a restart forgets none. */
export interface Agenda {
  when(kind: string, happening: Happening): void;
  schedule(kind: string, dueAt: number, payload?: string): void;
  /** Lets everything due happen, in order of its moment. */
  settle(): Promise<void>;
  forget(): void;
}

interface Entry {
  id: number;
  dueAt: number;
  kind: string;
  payload: string;
}

const stepsPerTransaction = 500;

export function makeAgenda(db: Db, clock: Clock): Agenda {
  const happenings = new Map<string, Happening>();
  const next = () =>
    db.find<Entry>('select id, due_at as dueAt, kind, payload from agenda order by due_at, id limit 1');
  let nextDueAt = next()?.dueAt ?? Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;

  function step(): boolean {
    const entry = next();
    nextDueAt = entry?.dueAt ?? Number.POSITIVE_INFINITY;
    if (entry === undefined || entry.dueAt > clock.now()) return false;
    db.run('delete from agenda where id = ?', entry.id);
    const happening = happenings.get(entry.kind);
    if (happening === undefined) throw new Error(`Nothing knows how to do "${entry.kind}".`);
    happening(entry.payload, entry.dueAt);
    return true;
  }

  function slice(): boolean {
    return db.atomically(() => {
      for (let left = stepsPerTransaction; left > 0; left -= 1) if (!step()) return false;
      return true;
    });
  }

  async function catchUp(): Promise<void> {
    while (slice()) await setImmediate();
  }

  return {
    when: (kind, happening) => void happenings.set(kind, happening),
    schedule(kind, dueAt, payload = '') {
      db.run('insert or ignore into agenda (due_at, kind, payload) values (?, ?, ?)', dueAt, kind, payload);
      nextDueAt = Math.min(nextDueAt, dueAt);
    },
    settle() {
      if (running === undefined && nextDueAt > clock.now()) return Promise.resolve();
      running ??= catchUp().finally(() => {
        running = undefined;
      });
      return running;
    },
    forget() {
      nextDueAt = Number.POSITIVE_INFINITY;
    },
  };
}
