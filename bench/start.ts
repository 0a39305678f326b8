import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

/** Runs `npm start` until it says that it is ready. */
async function startProduct(folder: string, env: NodeJS.ProcessEnv) {
  const product = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(product, 'exit').then(([code]) => Promise.reject(new Error(`npm start ended with ${code}.`)));
  const ready = (async () => {
    let said = '';
    for await (const chunk of product.stdout) {
      said += String(chunk);
      if (said.includes('Sparechange is ready')) break;
    }
  })();
  await Promise.race([ready, ended]);
  return {
    stop: async () => {
      ended.catch(() => {}); // it is told to end
      if (product.pid !== undefined) process.kill(-product.pid, 'SIGTERM');
      await once(product, 'close');
    },
  };
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
      let product: Awaited<ReturnType<typeof startProduct>> | undefined;
      const seconds = await timed(`${ref}: ${what}`, async () => {
        product = await startProduct(checkout, env);
      });
      return { seconds, stop: async () => product?.stop() };
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
