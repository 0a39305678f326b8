import { consoleOperations, tablesOfSupporters } from '@sparechange/contract/console';
import { bucketTables, sharedTables } from '#db/table-homes.ts';

const aboutSupporter = [...bucketTables, ...sharedTables, 'clubs', 'closed_days', 'users', 'sessions'];

/** Tables whose changes may change an answer of the console, by operation. */
export const tablesOfAnswers: Record<string, readonly string[]> = Object.fromEntries(
  consoleOperations.flatMap(({ name, follows }) =>
    typeof follows === 'object'
      ? [[name, follows.flatMap((table) => (table === tablesOfSupporters ? aboutSupporter : table))]]
      : [],
  ),
);
