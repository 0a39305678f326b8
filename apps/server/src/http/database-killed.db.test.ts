import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getUser } from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { isDatabaseAway } from '#db/database-away.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { aSupporter, type TestSupporter } from '#testing/makers.ts';

let dataDir: string;
let port: string;
let url: string;
let db: Pool;
let api: AppUnderTest;
let supporter: TestSupporter;

const postmaster = async (): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const start = (settings = {}) => startEmbedded(dataDir, { fsync: 'off', ...settings });

const ask = () => api.call(getUser, { userId: supporter.uid }, { uid: supporter.uid });
/** Asks again and again until it is answered as hoped for; the test's time-out is the only bound. */
async function until(status: number): Promise<void> {
  while ((await ask()).status !== status) await pause(20);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sparechange-killed-'));
  ({ url } = await start());
  port = new URL(url).port;
  db = connect(url, { max: 4 });
  await migrate(db);
  supporter = await aSupporter(db);
  api = await anApp({ db, edge: { watchTimes: { everyMs: 30, lateMs: 500 } } });
  await api.app.ready();
});
afterAll(async () => {
  const pid = await postmaster();
  await api.close();
  await db.end({ timeout: 1 });
  process.kill(pid, 'SIGINT');
  while (isThere(pid)) await pause(20);
  await rm(dataDir, { recursive: true });
});

const backends = async (): Promise<number[]> =>
  (await db<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend'`).map(
    ({ pid }) => pid,
  );

/** Writes pairs in transactions, some with a pause between, some under a session's lock, until it is told to stop. */
async function writePairs(stopped: AbortSignal, locks: boolean): Promise<void> {
  for (let turn = 0; !stopped.aborted; turn += 1) {
    const pair = async () => {
      await db.begin(async (tx) => {
        const id = randomUUID();
        await tx`insert into pairs values (${id})`;
        if (turn % 2 === 0) await pause(turn % 20);
        await Promise.all([tx`insert into pairs values (${id})`, tx`select pg_sleep(0.002)`]);
      });
    };
    await (locks && turn % 3 === 0 ? withSessionLock(db, 'pairs', pair) : pair()).catch((error) => {
      if (!isDatabaseAway(error)) throw error;
    });
    await pause(1);
  }
}

/** Every connection of the pool serves again; PostgreSQL may still be ending some when the first does. */
async function untilAllConnect(): Promise<void> {
  const overAll = () => Promise.all(Array.from({ length: 16 }, () => db`select pg_sleep(0.02)`));
  while (!(await overAll().then(Boolean, () => false))) await pause(20);
}

test.each([1, 2, 3, 4, 5, 6])(
  'a database killed amid transactions is served from again, and no transaction half happened (round %i)',
  async (round) => {
    await db`create table if not exists pairs (id uuid)`;
    const done = new AbortController();
    const work = Array.from({ length: 12 }, (_, at) => writePairs(done.signal, at < 2));
    await pause(60);
    const [postmasterPid, pids] = [await postmaster(), await backends()];
    if (round % 2 === 0) {
      process.kill(pids.at(-1) ?? 0, 'SIGKILL'); // PostgreSQL ends the others and recovers by itself
    } else {
      for (const pid of [postmasterPid, ...pids]) process.kill(pid, 'SIGKILL');
      while (isThere(postmasterPid)) await pause(5);
      await until(503);
      expect(Number((await ask()).headers['retry-after'])).toBeGreaterThan(0);
      await start({ port });
    }
    await until(200);
    done.abort();
    await Promise.all(work);
    await untilAllConnect();
    expect(await db`select id, count(*) from pairs group by id having count(*) <> 2`).toEqual([]);
  },
);
