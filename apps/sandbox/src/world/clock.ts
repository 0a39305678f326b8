import { type Db, readSetting, saveSetting } from './database.ts';

/** The machine's or test's time plus an offset surviving restarts. */
export interface Clock {
  now(): number;
  offsetMs(): number;
  setOffset(offsetMs: number): void;
}

export function makeClock(db: Db, base: () => number): Clock {
  const key = 'clock offset';
  let offset = Number(readSetting(db, key) ?? 0);
  return {
    now: () => base() + offset,
    offsetMs: () => offset,
    setOffset(offsetMs) {
      offset = Math.round(offsetMs);
      saveSetting(db, key, String(offset));
    },
  };
}
