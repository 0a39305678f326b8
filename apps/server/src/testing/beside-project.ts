import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

/** The folder beside the project, never in it, that holds what some tests read; a clone may be without it. */
const beside = join(import.meta.dirname, '../../../../../shared');

/** Returns a folder there, and what describes tests that need it, skipped with a reason where it is not. */
export function folderBeside(name: string, contents: string) {
  const folder = join(beside, name);
  const missing = existsSync(folder) ? '' : ` - skipped: ${contents} are not on this machine (../shared/${name})`;
  return {
    folder,
    describeWithIt: (what: string, tests: () => void): void => {
      describe.skipIf(missing)(`${what}${missing}`, tests);
    },
  };
}
