import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { startEmbedded, withoutFsync } from '#db/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** Linux keeps it in memory. */
const memory = '/dev/shm';
/** The databases of all files that run together need a tenth of it. */
const roomInMemory = 2 * 2 ** 30;

/** Returns the folder of the databases: in memory where there is room for them. */
async function findRoom(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= roomInMemory ? memory : tmpdir();
}

/** Each file's database lives for seconds: nothing is replicated, vacuumed or kept for a recovery. */
const settings = {
  ...withoutFsync,
  shared_buffers: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan', // planning for the first five values each costs more than any plan for few rows
};

/** Stops the server of a folder without waiting for connected sessions: nobody reads its files again. */
async function stop(folder: string): Promise<void> {
  const file = join(folder, 'postgres/postmaster.pid');
  process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGQUIT');
  while (existsSync(file)) await wait(20);
}

/** Starts PostgreSQL for databases of tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await findRoom(), 'sparechange-test-'));
  const database = await startEmbedded(folder, settings);
  project.provide('serverUrl', database.ownerUrl);
  return async () => {
    await stop(folder);
    await rm(folder, { recursive: true });
  };
}
