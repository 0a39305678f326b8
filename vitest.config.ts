import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The simulation takes longer than any other file, so it starts first and the others fill the other worker. */
class SimulationFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/simulation.db.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SimulationFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{bench,packages,scripts,simulator}/**/*.test.ts',
            'apps/{console,server,sandbox}/src/**/*.test.{ts,tsx}',
          ],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          setupFiles: ['apps/console/src/testing/setup.ts'],
          isolate: false, // rules and adapters keep nothing between files, and a fresh start for each takes longer than they do
          testTimeout: 300_000, // ends a test that hangs, also on a busy machine
        },
      },
      {
        test: {
          name: 'database',
          include: ['{apps/server/src,simulator}/**/*.db.test.ts'],
          globalSetup: ['apps/server/src/testing/database-setup.ts'],
          setupFiles: ['apps/server/src/testing/before-each-file.ts'],
          maxWorkers: availableParallelism(), // more of them, beside browsers, cost more processor time than they use
          isolate: false, // each file has a database of its own; loading the server again for each took as long as the tests
          sequence: { groupOrder: 1 }, // a name may fit tests of several kinds
          // Ends a test that hangs, also on a slow disk and a busy machine.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          expect: { poll: { timeout: 60_000 } }, // one second is short on a busy machine
        },
      },
      {
        extends: 'apps/web/vite.config.ts',
        root: 'apps/web',
        test: {
          name: 'screen',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/testing/setup.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
