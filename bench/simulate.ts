import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cloneOf } from './clone-of.ts';
import { processorMsOfAll } from './processor-time.ts';
import { rounded } from './stopwatch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
/** Days of the run; a month and its end are in them. */
const days = 45;
const readEveryMs = 100;

/** Milliseconds of one supporter's day, those of the start and the last calm days shared among all. */
interface SimulatedDay {
  wallMs: number;
  processorMs: number;
  /** Of them, those of PostgreSQL. */
  postgresMs: number;
}

/** Returns the process of the PostgreSQL server whose files are in a folder, once there is one. */
async function findServer(folder: string): Promise<number | undefined> {
  for await (const file of glob(join(folder, 'sparechange-simulation-*/postgres/postmaster.pid')))
    return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10) || undefined;
  return undefined;
}

/** Plays a run of a checkout, whose packages are there, and reads what its processes used until just before they end. */
async function playIn(checkout: string, folder: string, supporters: number): Promise<SimulatedDay> {
  const args = ['--supporters', `${supporters}`, '--days', `${days}`, '--seed', '1', '--quiet'];
  const program = spawn(
    join(checkout, 'node_modules/.bin/node'),
    ['--max-semi-space-size=64', 'simulator/main.ts', ...args],
    { cwd: checkout, env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(program, 'exit');
  const pid = program.pid ?? Number.NaN;
  const used = { own: 0, postgres: 0 };
  const startedAt = performance.now();
  while (program.exitCode === null && program.signalCode === null) {
    await Promise.race([ended, wait(readEveryMs)]);
    const server = await findServer(folder);
    used.own = Math.max(used.own, await processorMsOfAll(pid));
    if (server) used.postgres = Math.max(used.postgres, await processorMsOfAll(server));
  }
  const wallMs = performance.now() - startedAt;
  if (program.exitCode !== 0) throw new Error(`The simulation ended with ${program.exitCode}.`);
  const each = (ms: number) => rounded(ms / (supporters * days));
  return { wallMs: each(wallMs), processorMs: each(used.own + used.postgres), postgresMs: each(used.postgres) };
}

/** Clones a commit and installs its packages. */
async function checkOut(ref: string, folder: string): Promise<string> {
  const checkout = await cloneOf(ref, root, folder);
  await run('npm', ['ci'], { cwd: checkout, maxBuffer: 2 ** 26 });
  return checkout;
}

/** Measures what a supporter's simulated day takes here, and beside another commit if one is named, one after the other. */
export async function measureSimulation(supporters: number, beside: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-simulate-'));
  try {
    const former = beside === undefined ? undefined : await playIn(await checkOut(beside, folder), folder, supporters);
    const ours = await playIn(root, folder, supporters);
    const ratio = former && rounded(ours.processorMs / former.processorMs);
    return { supporters, days, ...ours, ...(former && { beside, ratio, former }) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
