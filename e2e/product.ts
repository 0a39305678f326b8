import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { addDays, type IsoDate, monthStart, sydneyDay, sydneyTime } from '@sparechange/domain';
import { previousBankingDay } from '@sparechange/domain/banking-calendar';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { engines } from '@sparechange/server/db/engine.ts';
import { prepareSchema } from '@sparechange/server/db/prepare-schema.ts';
import { productClock } from '@sparechange/server/db/product-clock.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Place {
  port: number;
  dataDir: string;
  /** Further settings of the product and its operator. */
  env?: Record<string, string>;
  /** The folder of another version than this one. */
  checkout?: string;
}

/** Returns free ports (product, sandbox, mail) and a data folder. */
export async function aPlace(): Promise<Place> {
  return { port: await freePort(), dataDir: mkdtempSync(join(tmpdir(), 'sparechange-place-')) };
}

/** Returns a place whose data survive kills, as in production. */
export async function aDurablePlace(): Promise<Place> {
  return { ...(await aPlace()), env: { EMBEDDED_FSYNC: 'on' } };
}

/** Ports of other protocols, which browsers and `fetch` refuse. */
const unsafePorts = [5060, 5061, 6000];

/** Searches its own range of ports, apart from parallel tests. */
async function freePort(): Promise<number> {
  const [row, rows] = [Number(process.env.TEST_PARALLEL_INDEX ?? 0) % 3, 3];
  for (let port = 4400 + (Math.floor(Math.random() * 130) * rows + row) * 5; ; port += rows * 5) {
    const ports = [port, port + 1, port + 2];
    if (ports.some((each) => unsafePorts.includes(each))) continue;
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

export interface Program {
  child: ChildProcess;
  /** Everything it has printed. */
  said(): string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

const environment = (place: Place, env: Record<string, string> = {}) => ({
  ...process.env,
  PORT: String(place.port),
  DATA_DIR: place.dataDir,
  ...place.env,
  ...env,
});

/** Products left by failed tests; they end with the tests. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

function launch(place: Place, args: string[], env?: Record<string, string>): Program {
  const child = spawn(process.execPath, args, {
    cwd: place.checkout ?? root,
    env: environment(place, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
  return { child, said: () => said, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

/** Returns the program of the product or its commands; another version runs from source, as it may not be built. */
const programOf = ({ checkout }: Place, name: 'main' | 'ops'): string =>
  checkout ? `apps/server/src/${name === 'ops' ? 'ops/' : ''}main.ts` : `apps/server/dist/${name}.js`;

/** Starts the product as `npm start` does, or some of its roles, without waiting. */
export const startProduct = (place: Place, env?: Record<string, string>, ...roles: string[]): Program =>
  launch(place, [programOf(place, 'main'), ...roles], env);

/** Starts an operator's command without waiting for it. */
export const startOps = (place: Place, ...words: string[]): Program =>
  launch(place, [programOf(place, 'ops'), ...words, '--json']);

/** Runs an operator's command, reads its JSON, rejects on failure. */
export function runOps<Answer>(place: Place, ...words: string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const args = [programOf(place, 'ops'), ...words, '--json'];
    const where = { cwd: place.checkout ?? root, env: environment(place) };
    execFile(process.execPath, args, where, (error, stdout, stderr) => {
      if (error) reject(new Error(`ops ${words.join(' ')}: ${stderr}${stdout}`));
      else resolve(JSON.parse(stdout) as Answer);
    });
  });
}

/** Waits until the product serves; rejects if it ends first. */
export async function untilReady(program: Program): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 200) {
    if (program.child.exitCode !== null) throw new Error(`It ended with ${program.child.exitCode}: ${program.said()}`);
    if (program.said().includes('Sparechange is ready')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`It was not ready in time: ${program.said()}`);
}

/** Stops the product and waits for its end; shows its output if it failed. */
export async function stopProduct(program: Program): Promise<number | null> {
  program.child.kill('SIGTERM');
  const code = await program.ended;
  if (code !== 0) console.error(program.said());
  return code;
}

/** Runs an operator's command of one product, reading its JSON. */
export type Ops = <Answer = Record<string, unknown>>(...words: string[]) => Promise<Answer>;

/** Changes the embedded database of a running product as its owner, for changes without a command. */
export async function inDatabase(dataDir: string, change: (db: Pool) => PromiseLike<unknown>): Promise<void> {
  const { ownerUrl } = await startEmbedded(dataDir);
  const db = connect(ownerUrl, { max: 1 });
  try {
    await change(db);
  } finally {
    await db.end();
  }
}

/**
 * Sets the product's clock to noon of a distant day, as if it had been off until then: `ops advance` would play every
 * day on the way.
 */
export const putClockTo = ({ dataDir }: Place, day: IsoDate): Promise<void> =>
  inDatabase(dataDir, async (db) => {
    const clock = await productClock(db);
    await clock.setTo(sydneyTime(day, '12:00'));
    await clock.close();
  });

const nextMonth = (day: IsoDate): IsoDate => monthStart(addDays(monthStart(day), 31));

/** Plays from a day, or from today where that is later, until noon of another; earlier days are skipped. */
export async function playFrom(place: Place, ops: Ops, from: IsoDate, to: IsoDate): Promise<void> {
  const { now } = await ops<{ now: string }>('status');
  if (sydneyDay(new Date(now)) < from) await putClockTo(place, from);
  // The product holds its timetable's lock for a moment after its start.
  await expect(() => ops('advance', '--to', `${to}T12:00`)).toPass();
}

/** Time enough for two debits at least, the first of which clears and is paid out within the month. */
const lastBankingDays = 7;

/** Returns the day from which a month has seven banking days left, itself among them. */
export function lastDaysFrom(month: IsoDate): IsoDate {
  let day = nextMonth(month);
  for (let left = lastBankingDays; left > 0; left -= 1) day = previousBankingDay(day);
  return day;
}

/**
 * Plays from the last days of a month to the fourth of the next, a whole cycle of debits, payouts and documents, at the
 * next such dates.
 */
export async function playOverMonthEnd(place: Place, ops: Ops): Promise<void> {
  const { now } = await ops<{ now: string }>('status');
  const day = sydneyDay(new Date(now));
  const from = day < lastDaysFrom(day) ? lastDaysFrom(day) : lastDaysFrom(nextMonth(day));
  await playFrom(place, ops, from, addDays(nextMonth(from), 3));
}

/** The sandbox's first supporter. */
export const demo = { email: 'demo@sparechange.example', password: 'spare-change-demo' };

/** Stops the server of a data folder and waits until its files are whole. */
async function stopDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres/postmaster.pid');
  process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGINT');
  while (existsSync(file)) await wait(20);
}

/** Makes an empty database of this version; of workers that make one together, the first one's stays. */
async function makeTemplate(template: string): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), 'sparechange-draft-'));
  const { url, ownerUrl } = await startEmbedded(draft, withoutFsync);
  const db = connect(url, { max: 2 });
  await prepareSchema(db, ownerUrl, engines.postgres, { isEmbedded: true });
  await db.end();
  await stopDatabase(draft);
  await rename(draft, template).catch(() => rm(draft, { recursive: true }));
}

/**
 * Puts the files of an empty database into a new data folder, as making them takes as long as starting the product; files
 * outside the folder, where PostgreSQL's user may not enter it, are not shared.
 */
async function copyDatabase(dataDir: string): Promise<void> {
  const template = process.env.E2E_TEMPLATE;
  if (!template) return;
  if (!existsSync(template)) await makeTemplate(template);
  if (lstatSync(join(template, 'postgres')).isSymbolicLink()) return;
  await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir]); // keeps the owner of PostgreSQL's files
}

/** Starts a separate product and returns it with its operator. */
export async function aProduct(env: Record<string, string> = {}) {
  const place = { ...(await aPlace()), env };
  await copyDatabase(place.dataDir);
  const program = startProduct(place);
  await untilReady(program);
  const ops: Ops = (...words) => runOps(place, ...words);
  return { place, program, ops, home: `http://localhost:${place.port}` };
}
