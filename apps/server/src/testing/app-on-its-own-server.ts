import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getUser } from '@sparechange/contract';
import type { AppDeps } from '#app-deps.ts';
import { connect } from '#db/connect.ts';
import { databaseAnswers } from '#db/database-answers.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { type AppUnderTest, anApp } from './app-under-test.ts';
import { testBuckets } from './database.ts';
import { aSupporter } from './makers.ts';

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** Waits until a process is gone, without its own time-out. */
export async function untilGone(pid: number): Promise<void> {
  while (isThere(pid)) await pause(5);
}

/** The product with a supporter, on a PostgreSQL server that no other test uses: it may be stopped, frozen and killed. */
export async function anAppOnItsOwnServer(make: (changes: Partial<AppDeps>) => Promise<AppUnderTest> = anApp) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-own-server-'));
  const start = (settings = {}) => startEmbedded(dataDir, { fsync: 'off', ...settings });
  const { ownerUrl: url } = await start();
  const { port } = new URL(url);
  const db = connect(url, { max: 4, buckets: testBuckets });
  await migrate(db);
  const supporter = await aSupporter(db);
  const api = await make({
    db,
    edge: {
      watchTimes: { everyMs: 30, lateMs: 500, patienceMs: 2_000, overloadedMs: 1_000 },
      databaseAnswers: () => databaseAnswers(url, 500),
    },
  });
  await api.app.ready();

  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
  /** "Fast" shutdown: PostgreSQL ends every connection and stops. */
  const stop = async (): Promise<void> => {
    const pid = await postmaster();
    process.kill(pid, 'SIGINT');
    await untilGone(pid);
  };
  /** Freezes PostgreSQL with every connection, as a machine that hangs; returns a function that lets it continue. */
  const freeze = async () => {
    const observer = connect(url, { max: 1 });
    await observer`select 1`;
    const parent = await postmaster();
    process.kill(parent, 'SIGSTOP'); // first, so that it makes no connection that is not in the list
    const backends = await observer<{ pid: number }[]>`
      select pid from pg_sleep(0.3), pg_stat_activity where backend_type = 'client backend'`;
    const pids = [...backends.map(({ pid }) => pid), parent];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return async () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      await observer.end();
    };
  };
  const ask = () => api.call(getUser, { userId: supporter.uid }, { uid: supporter.uid });
  return {
    url,
    db,
    api,
    supporter,
    ask,
    /** Asks again and again until the answer is as hoped for; the test's time-out is the only bound. */
    until: async (status: number): Promise<void> => {
      while ((await ask()).status !== status) await pause(20);
    },
    postmaster,
    stop,
    freeze,
    startAgain: () => start({ port }),
    close: async (): Promise<void> => {
      await api.close();
      await db.end({ timeout: 1 });
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
