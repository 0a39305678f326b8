import type { Db } from './database.ts';

/** The machine's or test's time plus an offset surviving restarts. */
export interface Clock {
  now(): number;
  offsetMs(): number;
  setOffset(offsetMs: number): void;
}

export function makeClock(db: Db, base: () => number): Clock {
  const stored = () => db.find<{ value: string }>("select value from settings where key = 'clock offset'");
  let offset = Number(stored()?.value ?? 0);
  return {
    now: () => base() + offset,
    offsetMs: () => offset,
    setOffset(offsetMs) {
      offset = Math.round(offsetMs);
      db.run("insert or replace into settings (key, value) values ('clock offset', ?)", String(offset));
    },
  };
}
