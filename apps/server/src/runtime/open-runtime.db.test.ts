import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Config, parseConfig } from '#config/config.ts';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { StartProblem } from '#errors.ts';
import { openRuntime, type Runtime } from './compose.ts';

let config: Config;
let running: Runtime;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-runtime-'));
  config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  running = await openRuntime(config, 'api worker');
});
afterAll(async () => {
  await running.close();
  await rm(config.dataDir, { recursive: true });
});

/** Closes one that came between the server's return and the lock's. */
const closeAtOnce = (opened: Runtime) => opened.close().then(() => 'opened');
const pidFile = () => join(config.dataDir, 'postgres', 'postmaster.pid');

test('a second server on one data folder is refused before it changes the schema', async () => {
  const { ownerUrl } = await startEmbedded(config.dataDir);
  const owner = connect(ownerUrl, { max: 1 });
  const [{ name, hash } = { name: '', hash: '' }] = await owner<
    { name: string; hash: string }[]
  >`delete from migrations where name = (select max(name) from migrations) returning name, hash`;
  await expect(openRuntime(config, 'api')).rejects.toThrow('this one stops and has changed nothing');
  expect(await owner`select 1 from migrations where name = ${name}`).toEqual([]);
  await owner`insert into migrations (name, hash) values (${name}, ${hash})`;
  await owner.end();
});

test('a command beside a running product leaves PostgreSQL running, and one alone stops what it started', async () => {
  await (await openRuntime(config, 'ops')).close();
  expect(await running.db`select 1 as one`).toEqual([{ one: 1 }]);
  await running.close();
  await expect.poll(() => existsSync(pidFile()), { timeout: 60_000 }).toBe(false);
  await (await openRuntime(config, 'ops')).close();
  await expect.poll(() => existsSync(pidFile()), { timeout: 60_000 }).toBe(false);
  running = await openRuntime(config, 'api worker');
}, 120_000);

test('a command beside a running product connects as the product alone', async () => {
  const { ownerUrl } = await startEmbedded(config.dataDir);
  const owner = connect(ownerUrl, { max: 1 });
  await owner`alter role sparechange password 'another'`; // nobody can connect as the owner now
  const command = await openRuntime(config, 'ops').finally(() =>
    owner.unsafe(`alter role sparechange password '${new URL(ownerUrl).password}'`),
  );
  await command.close();
  await owner.end();
}, 60_000);

test('a PostgreSQL that is killed is started again where it was, and the data folder stays locked', async () => {
  const [pid] = (await readFile(pidFile(), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => running.db`select 1 as one`.catch(String), { timeout: 60_000 }).toEqual([{ one: 1 }]);
  await expect
    .poll(() => openRuntime(config, 'worker').then(closeAtOnce, String), { timeout: 60_000 })
    .toMatch('has changed nothing');
}, 120_000);

test('a start that is refused stops the PostgreSQL it had started', async () => {
  await running.db`update product_clock set offset_ms = 86400000`;
  await running.close();
  await expect(openRuntime({ ...config, isProduction: true }, 'api')).rejects.toThrow(StartProblem);
  await expect.poll(() => existsSync(pidFile()), { timeout: 60_000 }).toBe(false); // it writes what it holds first
  running = await openRuntime(config, 'api');
}, 60_000);
