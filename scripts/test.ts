import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from './browser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'node_modules/.reports');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

interface Tally {
  passed: number;
  failed: number;
}

const tally: Tally = { passed: 0, failed: 0 };
const failedSteps: { name: string; end: string }[] = [];
/** The end of what the running step printed, where each runner tells what failed: said again after the last step. */
let end = '';
const endLength = 6000;

function add(name: string, { passed, failed }: Tally): void {
  tally.passed += passed;
  tally.failed += failed;
  if (failed > 0) failedSteps.push({ name, end });
}

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  end = '';
  return new Promise((resolve) => {
    const colour = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...colour, ...env },
    });
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        process[stream].write(text);
        end = (end + text).slice(-endLength);
      });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a check that passes or fails as a whole. */
async function check(name: string, command: string, args: string[]): Promise<void> {
  process.stdout.write(`\n== ${name}\n`);
  const isFine = (await run(command, args)) === 0;
  add(name, { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1 });
}

/** Runs a test runner and reads its report; a runner that ends badly without a failed test counts as one failure. */
async function suite(
  name: string,
  start: (report: string) => Promise<number>,
  read: (report: unknown) => Tally,
): Promise<void> {
  process.stdout.write(`\n== ${name}\n`);
  const report = join(reports, `${name}.json`);
  const code = await start(report);
  let counts: Tally = { passed: 0, failed: 1 };
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    // no report: the runner itself failed
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(name, counts);
}

const readVitest = (report: unknown): Tally => {
  const { numPassedTests, numFailedTests } = report as { numPassedTests: number; numFailedTests: number };
  return { passed: numPassedTests, failed: numFailedTests };
};

/** Counts a journey that passed at its second try as passed, and says so, as each one is a defect to look at. */
const readPlaywright = (report: unknown): Tally => {
  const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number } };
  if (stats.flaky > 0) process.stdout.write(`\n${stats.flaky} passed at the second try only: see "flaky" above\n`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
};

const { values: wish } = parseArgs({
  options: { quick: { type: 'boolean' }, all: { type: 'boolean' }, buckets: { type: 'string' } },
});

/** Tests that take minutes each; `npm test -- --all` runs them. */
const longDatabaseTests = ['simulation', 'random-supporters', 'two-workers', 'database-killed'];
/** Main journeys; `npm test -- --all` adds journeys, states and palettes. */
const mainJourneys = ['main-path', 'signing-in', 'round-ups', 'linked-accounts', 'every-cent', 'keyboard', 'tenants'];

const vitest = (project: string, more: string[] = [], buckets = '1') =>
  suite(
    buckets === '1' ? project : `${project} of ${buckets} buckets`,
    (report) =>
      run(
        bin('vitest'),
        ['run', '--project', project, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...more],
        { TEST_BUCKETS: buckets },
      ),
    readVitest,
  );

const playwright = (browser: string) =>
  suite(
    'browser',
    (report) =>
      run(
        bin('playwright'),
        [
          'test',
          '--config',
          'e2e/playwright.config.ts',
          '--retries=1',
          ...(wish.all ? [] : mainJourneys.map((name) => `${name}.spec`)),
        ],
        { BROWSER_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      ),
    readPlaywright,
  );

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

/** Tests of the server that need a database, of so many buckets where they do not say. */
const databaseTests = (buckets?: string) =>
  vitest('database', wish.all ? [] : longDatabaseTests.map((name) => `--exclude=**/${name}.db.test.ts`), buckets);

async function everything(): Promise<void> {
  await check('format and lint, boundaries and cycles', bin('biome'), ['check', '.']);
  await check('types of the server, the sandbox and the packages', bin('tsc'), ['-p', 'tsconfig.json']);
  await check('types of the web app', bin('tsc'), ['-p', 'apps/web/tsconfig.json']);
  await vitest('unit');
  if (wish.quick) return;
  await databaseTests();
  await vitest('screen');
  const isBuilt = (await run(process.execPath, ['scripts/prepare.mjs', '--build'])) === 0;
  if (!isBuilt) add('build', { passed: 0, failed: 1 });
  await playwright(findBrowser());
}

await (wish.buckets ? databaseTests(wish.buckets) : everything());

for (const failed of failedSteps) process.stdout.write(`\n== the end of ${failed.name}, which failed\n${failed.end}`);
const names = failedSteps.map(({ name }) => name).join(', ');
process.stdout.write(names ? `\nfailed: ${names}\n` : '\n');
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exit(tally.failed > 0 ? 1 : 0);
