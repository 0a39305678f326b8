import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import { cloneOf } from './clone-of.ts';
import { memoryMb } from './memory.ts';
import { median, msOf, rounded, timed } from './stopwatch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const commandRuns = 5;
/** Until the caches of the first minute are filled and the first tasks are done. */
const restMs = 60_000;

/** One checkout's first start, on a machine with npm's cache filled. Sizes are MB, times are seconds. */
interface Start {
  packagesMb: number;
  firstStart: number;
  secondStart: number;
  opsCommand: number;
  /** The command less what npm takes to run nothing. */
  opsWithoutNpm: number;
  restMb: number;
}

interface Product {
  stop(): Promise<void>;
}

/** Runs `npm start` until it says that it is ready. Throws where it ends before that, or on Ctrl-C, and leaves nothing running. */
async function startProduct(folder: string, env: NodeJS.ProcessEnv): Promise<Product> {
  const product = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (product.pid === undefined || product.exitCode !== null || product.signalCode !== null) return;
    process.kill(-product.pid, 'SIGTERM');
    await once(product, 'close');
  };
  try {
    await unlessInterrupted(saysReady(product.stdout));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const interrupted = Promise.withResolvers<never>();
interrupted.promise.catch(() => {}); // nobody may be waiting
const unlessInterrupted = <Result>(work: Promise<Result>): Promise<Result> => Promise.race([work, interrupted.promise]);

/** Reads until the product is ready, and leaves the stream open: a product that cannot write would end. */
async function saysReady(output: Readable): Promise<void> {
  let said = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('Sparechange is ready')) return void output.resume();
  }
  throw new Error('npm start ended before the product was ready.');
}

/** Returns the seconds of an npm script, the median of some runs. */
async function secondsOf(script: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const seconds: number[] = [];
  for (let at = 0; at < commandRuns; at += 1)
    seconds.push((await msOf(() => unlessInterrupted(run('npm', ['run', '-s', ...script], { cwd, env })))) / 1000);
  return median(seconds);
}

/** Measures what `npm run` itself takes, in a folder with a script that does nothing. */
async function secondsOfNpm(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { nothing: 'true' } }));
  return secondsOf(['nothing'], folder, env);
}

/** Measures a checkout; `hold` is told of each product that runs. */
async function measureCheckout(ref: string, folder: string, hold: (product: Product) => void): Promise<Start> {
  const checkout = await cloneOf(ref, root, folder);
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    DATA_DIR: join(folder, 'data'),
  };
  const start = async (what: string) => {
    const starting = startProduct(checkout, env);
    const seconds = await timed(`${ref}: ${what}`, () => starting);
    const product = await starting;
    hold(product);
    return { seconds, ...product };
  };
  const first = await start('first start');
  await first.stop();
  const { stdout } = await run('du', ['-sm', join(checkout, 'node_modules')]);
  const second = await start('second start');
  await unlessInterrupted(new Promise((resolve) => setTimeout(resolve, restMs)));
  const restMb = rounded(await memoryMb(folder), 0);
  const opsCommand = await secondsOf(['ops', '--', 'status'], checkout, env);
  const npm = await secondsOfNpm(folder, env);
  return {
    packagesMb: Number.parseInt(stdout, 10),
    firstStart: rounded(first.seconds),
    secondStart: rounded(second.seconds),
    opsCommand: rounded(opsCommand),
    opsWithoutNpm: rounded(opsCommand - npm),
    restMb,
  };
}

/** Measures a commit in a folder of its own, of which nothing is left, also after a failure. */
async function measureStart(ref: string): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-start-'));
  let running: Product | undefined;
  try {
    return await measureCheckout(ref, folder, (product) => {
      running = product;
    });
  } finally {
    await running?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Measures what is committed here beside another commit: the packages and time a first start takes, and what follows. */
export async function measureStarts(beside: string) {
  const interrupt = () => interrupted.reject(new Error('The bench was interrupted.'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const former = await measureStart(beside);
  const ours = await measureStart('HEAD');
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  const names = Object.keys(ours) as (keyof Start)[];
  const ratios = Object.fromEntries(names.map((name) => [name, rounded(ours[name] / former[name])]));
  return { beside, ratios, former, ours };
}
