import { consoleOperations } from '@sparechange/contract/console';

/** Words of the calls that the audit log notes, by their name. */
export const wordsOfCalls: Record<string, string> = Object.fromEntries(
  consoleOperations.flatMap(({ name, words }) => (words ? [[name, words]] : [])),
);
