import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The one rejection that postgres.js lets nobody catch: its question for array types, when a test stops the database.
    onUnhandledError: (error) => {
      const code = 'code' in error ? String(error.code) : '';
      const query = 'query' in error ? String(error.query) : '';
      return !(['ECONNRESET', 'CONNECTION_CLOSED'].includes(code) && query.includes('from pg_catalog.pg_type'));
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/{server,sandbox}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 60_000, // no test is timed: this ends what hangs, also on a busy machine
        },
      },
      {
        test: {
          name: 'database',
          include: ['apps/server/src/**/*.db.test.ts'],
          globalSetup: ['apps/server/src/testing/database-setup.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      'apps/web/vite.config.ts',
    ],
  },
});
