import type { Db } from '#db/connect.ts';

/** One row a violation, and one that says how many things were looked at. */
export interface Finding {
  violation: string | null;
  checked: number;
}

/** Invariants by name. */
export type Checks = Record<string, (db: Db) => Promise<Finding[]>>;
