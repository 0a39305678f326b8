import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { databaseAnswers } from './database-answers.ts';
import { type EmbeddedDatabase, findEmbedded, startEmbedded } from './embedded.ts';
import { databaseUser } from './os-user.ts';

let dataDir: string;
let database: EmbeddedDatabase;
const secret = 'a-secret-of-the-product';
beforeAll(async () => {
  process.env.A_SECRET = secret;
  dataDir = await mkdtemp(join(tmpdir(), 'sparechange-embedded-'));
  database = await startEmbedded(dataDir);
  await ask('create table kept as select 1 as value');
});
afterAll(async () => {
  await database.release();
  await rm(dataDir, { recursive: true });
});

async function ask(statement: string) {
  const pool = connect(database.ownerUrl, { max: 1 });
  return pool.unsafe(statement).finally(() => pool.end());
}

const pidFile = () => join(dataDir, 'postgres', 'postmaster.pid');
const pidLines = async () => (await readFile(pidFile(), 'utf8')).split('\n');

async function killPostmaster(): Promise<string[]> {
  const lines = await pidLines();
  process.kill(Number(lines[0]), 'SIGKILL');
  return lines;
}

test('a database server that was killed a moment ago is started again with everything it had kept', async () => {
  await killPostmaster();
  database = await startEmbedded(dataDir);
  expect([...(await ask('select value from kept'))]).toEqual([{ value: 1 }]);
});

test('a running server is found by its files alone, and those of none or of a killed one lead to nothing that answers', async () => {
  expect(await findEmbedded(join(dataDir, 'elsewhere'))).toBeUndefined();
  const found = await findEmbedded(dataDir);
  expect(found).toMatchObject({ url: database.url, ownerUrl: database.ownerUrl });
  await killPostmaster();
  expect(await databaseAnswers(found?.url ?? '', 5_000)).toBe(false);
  await found?.restart();
  expect(await databaseAnswers(found?.url ?? '', 5_000)).toBe(true);
});

test('several processes starting after a kill find one server', async () => {
  await killPostmaster();
  const started = await Promise.all([1, 2, 3].map(() => startEmbedded(dataDir)));
  expect(new Set(started.map(({ url }) => url)).size).toBe(1);
  [database] = started as [EmbeddedDatabase];
});

test('a killed server does not prevent a start when another process has its number since', async () => {
  const another = spawn('cat', { ...databaseUser(), stdio: ['pipe', 'ignore', 'ignore'] });
  const [, ...rest] = await killPostmaster();
  await writeFile(pidFile(), [another.pid, ...rest].join('\n'));
  database = await startEmbedded(dataDir);
  expect([...(await ask('select value from kept'))]).toEqual([{ value: 1 }]);
  expect((await pidLines())[0]).not.toBe(String(another.pid));
  another.kill();
});

test("a process ends without waiting for a slow disk to take the server's memory, and the next start waits for it", async () => {
  const [checkpointer] = await ask(`select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  process.kill(Number(checkpointer?.pid), 'SIGSTOP');
  await database.release();
  const next = startEmbedded(dataDir);
  process.kill(Number(checkpointer?.pid), 'SIGCONT');
  database = await next;
  expect([...(await ask('select value from kept'))]).toEqual([{ value: 1 }]);
});

test('the server has none of our environment, and the role of the product reads no files', async () => {
  const [pid] = await pidLines();
  const [row] = await ask(`select encode(pg_read_binary_file('/proc/${pid}/environ', 0, 60000), 'escape') as text`);
  expect(row?.text).toContain('PATH=');
  expect(row?.text).not.toContain(secret);
  const product = connect(database.url, { max: 1 });
  await expect(product`select pg_read_file('/proc/self/environ')`).rejects.toThrow(/permission denied/);
  const [role] = await product`select current_user as name, rolsuper from pg_roles where rolname = current_user`;
  await product.end();
  expect(role).toEqual({ name: 'sparechange_product', rolsuper: false });
});

test('a cluster from before, which knew the superuser alone, gets the role at its next start', async () => {
  await ask('drop role sparechange_product');
  database = await startEmbedded(dataDir);
  const product = connect(database.url, { max: 1 });
  expect([...(await product`select 1 as value`)]).toEqual([{ value: 1 }]);
  await product.end();
});
