import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from './browser.ts';
import { mayInstall } from './debian-programs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'node_modules/.reports');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

interface Tally {
  passed: number;
  failed: number;
}

const tally: Tally = { passed: 0, failed: 0 };
const failedSteps: { name: string; end: string }[] = [];
/** Characters kept of the end of a failed step, where each runner names what failed. */
const endLength = 6000;

function add(name: string, { passed, failed }: Tally, printed: string): void {
  tally.passed += passed;
  tally.failed += failed;
  if (failed > 0) failedSteps.push({ name, end: printed.slice(-endLength) });
}

interface Command {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string | undefined>;
  /** Printed once it has ended, as another runs beside it. */
  isBeside?: boolean;
}

interface Run {
  code: number;
  /** Everything that it printed. */
  printed: string;
}

function run({ name, command, args, env, isBeside }: Command): Promise<Run> {
  const heading = `\n== ${name}\n`;
  let printed = '';
  if (!isBeside) process.stdout.write(heading);
  return new Promise((resolve) => {
    const colour = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...colour, ...env },
    });
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (!isBeside) process[stream].write(text);
      });
    child.on('close', (code) => {
      if (isBeside) process.stdout.write(heading + printed);
      resolve({ code: code ?? 1, printed });
    });
  });
}

/** Runs a check that passes or fails as a whole. */
async function check(command: Command): Promise<void> {
  const { code, printed } = await run(command);
  add(command.name, { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }, printed);
}

/** Runs a test runner and reads its report; a runner that ends badly without a failed test counts as one failure. */
async function suite(command: Command, report: string, read: (report: unknown) => Tally): Promise<void> {
  const { code, printed } = await run(command);
  let counts: Tally = { passed: 0, failed: 1 };
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    // no report: the runner itself failed
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(command.name, counts, printed);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

/** Counts tests, and names those that were skipped. */
const readVitest = (report: unknown): Tally => {
  const { numPassedTests, numFailedTests, testResults } = report as VitestReport;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = all.filter(({ status }) => status === 'skipped');
  if (skipped.length > 0) process.stdout.write(`\n${skipped.length} skipped:\n`);
  for (const { fullName } of skipped) process.stdout.write(`  ${fullName}\n`);
  return { passed: numPassedTests, failed: numFailedTests };
};

/** Counts a journey that passed at its second try as passed, and says so, as each one is a defect to look at. */
const readPlaywright = (report: unknown): Tally => {
  const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number } };
  if (stats.flaky > 0) process.stdout.write(`\n${stats.flaky} passed at the second try only: see "flaky" above\n`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
};

const { values: wish } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    all: { type: 'boolean' },
    buckets: { type: 'string' },
    citus: { type: 'boolean' },
  },
});
const { buckets = wish.citus ? '4' : '1' } = wish;
const isInBuckets = buckets !== '1';
/** The cluster's database, as its owner; without it nothing can run on a cluster. */
const citusUrl = process.env.CITUS_OWNER_URL ?? process.env.CITUS_URL;
if (wish.citus && !citusUrl) {
  process.stdout.write('Skipped: CITUS_URL is not set. docs/testing.md says what it leads to.\n');
  process.exit(0);
}

/** Tests that take minutes each; `npm test -- --all` runs them. */
const longDatabaseTests = ['simulation', 'random-supporters', 'two-workers', 'database-killed', 'bench-runs'];
/** Every fault, every change, further random events and what takes ten seconds a file, left to `--all` as well. */
const thoroughTests = [
  '*-end-right',
  'audit-books',
  'audit-changes',
  'nightly-audit',
  'books-in-buckets',
  'runs-over-buckets',
  'random-*',
  '*.model',
  'database-unavailable',
  'database-hangs',
  'refused-callers',
  'console-fuzz',
  'conformance',
  'src/identity/limits',
  'src/db/embedded',
  'src/ops/approvals',
  'src/ops/buckets',
  'receipts',
  'unanswered-payments',
  'live',
  'simulator/journal',
  'simulator/auditors-pack',
];
/** Left out on several buckets: tests that say how many they have, or have nobody in these; the last takes minutes. */
const leftOutOnBuckets = [
  '*-buckets',
  'audit-books',
  'audit-changes',
  'attacks',
  'src/db/*',
  'src/identity/*',
  'random-debits',
];
/**
 * Left out on a cluster besides: tests that stop, restore or refuse a server of their own, look at plans, need a second database,
 * or stand in for a cluster.
 */
const leftOutOnCluster = [
  ...thoroughTests.filter((name) => name !== 'nightly-audit'),
  'moved-clock',
  'tables-of-answers',
  'follow-tenants',
  'unreachable-*',
  'console-without-nodes',
  'watch-nodes',
  'silent-night',
];
/** Main journeys; `npm test -- --all` adds journeys, states and palettes. */
const mainJourneys = ['main-path', 'signing-in', 'every-cent', 'keyboard'];

interface VitestOptions {
  more?: string[];
  isBeside?: boolean;
}

const vitest = (project: string, { more = [], isBeside = false }: VitestOptions = {}) => {
  const report = join(reports, `${project}.json`);
  // Files share the cluster's one database, so they take turns there for an hour or more; each is named as it ends.
  const turns = wish.citus ? ['--maxWorkers=1'] : [];
  const seen = wish.citus ? 'default' : 'dot';
  const reporters = [`--reporter=${seen}`, '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, ...reporters, ...turns, ...more];
  const env = { TEST_BUCKETS: buckets, TEST_CITUS: wish.citus ? citusUrl : undefined };
  return suite({ name: project, command: bin('vitest'), args, env, isBeside }, report, readVitest);
};

const playwright = () => {
  const report = join(reports, 'browser.json');
  const journeys = wish.all ? [] : mainJourneys.map((name) => `${name}.spec`);
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--retries=1', ...journeys];
  const env = {
    BROWSER_PATH: findBrowser(),
    BROWSER_WITH_WINDOWS: wish.all ? findBrowser({ isSeen: true }) : undefined,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  };
  return suite({ name: 'browser', command: bin('playwright'), args, env }, report, readPlaywright);
};

const build: Command = {
  name: 'build',
  command: process.execPath,
  args: ['scripts/prepare.mjs', '--build'],
  isBeside: true,
};

/** Holds what tests keep on the disk and goes with the run: processes that they kill leave their folders behind. */
const temporary = mkdtempSync(join(tmpdir(), 'sparechange-'));
chmodSync(temporary, 0o755); // PostgreSQL does not run as root
process.env.TMPDIR = temporary;
if (wish.all) process.env[mayInstall] = '1';

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

/** Tests of the server that need a database. */
const databaseTests = ({ isBeside = false } = {}) => {
  const left = [
    ...(wish.all && !isInBuckets ? [] : longDatabaseTests),
    ...(wish.all || isInBuckets ? [] : thoroughTests),
    ...(isInBuckets ? leftOutOnBuckets : []),
    ...(wish.citus ? leftOutOnCluster : []),
  ];
  const place = wish.citus ? `${buckets} buckets on a cluster` : `${buckets} buckets`;
  if (isInBuckets) process.stdout.write(`\n${place}; left out: ${left.join(', ')}\n`);
  return vitest('database', { more: left.map((name) => `--exclude=**/${name}.db.test.ts`), isBeside });
};

async function everything(): Promise<void> {
  const checks = [
    { name: 'format and lint, boundaries and cycles', command: bin('biome'), args: ['check', '.'] },
    { name: 'types of the server, the sandbox and the packages', command: bin('tsc'), args: ['-p', 'tsconfig.json'] },
    { name: 'types of the web app', command: bin('tsc'), args: ['-p', 'apps/web/tsconfig.json'] },
    { name: 'types of the console', command: bin('tsc'), args: ['-p', 'apps/console/tsconfig.json'] },
  ];
  const checked = (...all: Command[]) => Promise.all(all.map((each) => check({ ...each, isBeside: true })));
  if (wish.quick) {
    await checked(...checks);
    return vitest('unit');
  }
  await checked(...checks, build);
  // Journeys start last: beside all the others together, a product answers too late for them.
  const others = async () => {
    await vitest('unit', { isBeside: true });
    await vitest('screen', { isBeside: true });
    await playwright();
  };
  await Promise.all([databaseTests({ isBeside: true }), others()]);
}

/** Shows a ratio that was lost on the day it is lost; it fails no run, as a busy machine loses some too. */
const shortBench: Command = {
  name: 'ratios',
  command: process.execPath,
  args: ['bench/main.ts', '--short'],
};

await (isInBuckets ? databaseTests() : everything());
if (wish.all && !isInBuckets) await run(shortBench);
rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });

for (const failed of failedSteps) process.stdout.write(`\n== the end of ${failed.name}, which failed\n${failed.end}`);
const names = failedSteps.map(({ name }) => name).join(', ');
process.stdout.write(names ? `\nfailed: ${names}\n` : '\n');
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exit(tally.failed > 0 ? 1 : 0);
