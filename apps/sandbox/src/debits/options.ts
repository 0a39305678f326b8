import { z } from 'zod';
import type { Db } from '#world/database.ts';

/** Habits of the real provider that are off unless a test asks for them, because they would surprise everybody else. */
export const Options = z.object({
  /** Merges debits of equal account, description and day, by default. */
  aggregateDebits: z.boolean().default(false),
  /** Debits of $2.01 to $2.06, $2.08 and $2.09 come back, as in Zepto's own sandbox. These are ordinary round-up totals. */
  failByAmount: z.boolean().default(false),
});
export type Options = z.infer<typeof Options>;

const key = 'debit options';

export function readOptions(db: Db): Options {
  const stored = db.find<{ value: string }>('select value from settings where key = ?', key)?.value;
  return Options.parse(stored === undefined ? {} : JSON.parse(stored));
}

export function saveOptions(db: Db, change: Partial<Options>): Options {
  const options = { ...readOptions(db), ...change };
  db.run('insert or replace into settings (key, value) values (?, ?)', key, JSON.stringify(options));
  return options;
}
