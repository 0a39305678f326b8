import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const root = fileURLToPath(new URL('..', import.meta.url));
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'sparechange-journey-'));
process.env.E2E_PORT ??= '4310';
/** The data folder from which products that tests start get their empty database; the first of them makes it. */
process.env.E2E_TEMPLATE ??= join(tmpdir(), `sparechange-template-${process.pid}`);
/** Data of tests need not survive the machine; tests that kill something turn it on for their own product. */
process.env.EMBEDDED_FSYNC ??= 'off';
const port = Number(process.env.E2E_PORT);
/** Compiles the often started programs once. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node-compile');

/** Tests that start their own products, whose clocks they move, which they kill or whose limits they use up. */
const withTheirOwn = [
  'backup',
  'bank-files',
  'console-bank-files',
  'console-single-sign-on',
  'consent-renewal',
  'console-clubs',
  'console-mail',
  'console-runs',
  'console-payments',
  'console-receipts',
  'console-people',
  'console-sixty-days',
  'console-timetable',
  'console-today',
  'console-treasurer',
  'console-week',
  'failover',
  'firebase',
  'identity-conformance',
  'invited-friend',
  'killed-at-random',
  'killed-in-debit-run',
  'main-path',
  'measures',
  'next-debit',
  'operator',
  'documents',
  'point-in-time',
  'unfit-databases',
  'proxies',
  'production',
  'rolling-restart',
  'starting',
  'upgrade',
].map((name) => `${name}.spec.ts`);

/** Tests of screens in every state: many short ones that share a supporter. */
const states = 'screens.spec.ts';
const lateAnswers = 'late-answers.spec.ts';

const launch = (executablePath: string | undefined) => ({
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu', // otherwise Debian's Chromium emulates one in software
    '--in-process-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

/** Starts product and sandbox with own data, like `npm start`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // No measures of speed: these end hung tests, also on a slow disk and a busy machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  workers: 2, // on two processors a third, beside the database tests, costs more than it gains
  projects: [
    // The longest first; the many short ones fill the gaps.
    { name: 'own products', testMatch: withTheirOwn },
    { name: 'journeys', testMatch: '*.spec.ts', testIgnore: [states, lateAnswers, ...withTheirOwn] },
    { name: 'states', testMatch: states, fullyParallel: true },
    {
      name: 'late answers',
      testMatch: lateAnswers,
      fullyParallel: true,
      // A headless browser counts shifts that one with windows lays out before it paints.
      use: { launchOptions: launch(process.env.BROWSER_WITH_WINDOWS ?? process.env.BROWSER_PATH) },
    },
  ],
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'on-first-retry',
    serviceWorkers: 'block', // service workers answer before a test's routes; service-worker.spec.ts allows them
    launchOptions: launch(process.env.BROWSER_PATH),
  },
  webServer: {
    command: `${process.execPath} apps/server/dist/main.js`,
    cwd: root,
    url: `http://localhost:${port}/readyz`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PORT: String(port), DATA_DIR: process.env.E2E_DATA_DIR },
  },
});
