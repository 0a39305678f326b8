import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
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
  restMb: number;
}

/** Runs `npm start` until it says that it is ready. Throws where it ends before that. */
async function startProduct(folder: string, env: NodeJS.ProcessEnv) {
  const product = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  await saysReady(product.stdout);
  return {
    stop: async () => {
      if (product.pid !== undefined) process.kill(-product.pid, 'SIGTERM');
      await once(product, 'close');
    },
  };
}

/** Reads until the product is ready, and leaves the stream open: a product that cannot write would end. */
async function saysReady(output: Readable): Promise<void> {
  let said = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('Sparechange is ready')) return void output.resume();
  }
  throw new Error('npm start ended before the product was ready.');
}

/** Returns the memory of all processes that have a folder in their environment or arguments, shared pages divided among them. */
async function memoryMb(folder: string): Promise<number> {
  let kb = 0;
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
    if (!`${await read('cmdline')}${await read('environ')}`.includes(folder)) continue;
    kb += Number(/^Pss:\s+(\d+)/m.exec(await read('smaps_rollup'))?.[1] ?? 0);
  }
  return kb / 1024;
}

async function measureStart(ref: string): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-start-'));
  const checkout = join(folder, 'checkout');
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    DATA_DIR: join(folder, 'data'),
  };
  try {
    await run('git', ['clone', '--quiet', '--no-checkout', root, checkout]);
    await run('git', ['-C', checkout, 'checkout', '--quiet', ref]);
    const start = async (what: string) => {
      const starting = startProduct(checkout, env);
      const seconds = await timed(`${ref}: ${what}`, () => starting);
      return { seconds, ...(await starting) };
    };
    const first = await start('first start');
    await first.stop();
    const { stdout } = await run('du', ['-sm', join(checkout, 'node_modules')]);
    const second = await start('second start');
    const opsSeconds: number[] = [];
    for (let at = 0; at < commandRuns; at += 1)
      opsSeconds.push(
        (await msOf(() => run('npm', ['run', '-s', 'ops', '--', 'status'], { cwd: checkout, env }))) / 1000,
      );
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const restMb = await memoryMb(folder);
    await second.stop();
    return {
      packagesMb: Number.parseInt(stdout, 10),
      firstStart: rounded(first.seconds),
      secondStart: rounded(second.seconds),
      opsCommand: rounded(median(opsSeconds)),
      restMb: rounded(restMb, 0),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures what is committed here beside another commit: the packages and time a first start takes, and what follows. */
export async function measureStarts(beside: string) {
  const former = await measureStart(beside);
  const ours = await measureStart('HEAD');
  const names = Object.keys(ours) as (keyof Start)[];
  const ratios = Object.fromEntries(names.map((name) => [name, rounded(ours[name] / former[name])]));
  return { beside, ratios, former, ours };
}
