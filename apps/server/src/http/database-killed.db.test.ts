import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { anAppOnItsOwnServer, untilGone } from '#testing/app-on-its-own-server.ts';

const { db, until, ask, postmaster, startAgain, close } = await anAppOnItsOwnServer();
afterAll(close);

const backends = async (): Promise<number[]> =>
  (await db<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend'`).map(
    ({ pid }) => pid,
  );

/** Writes pairs in transactions, some with a pause between, some under a session's lock, until it is stopped. */
async function writePairs(stopped: AbortSignal, usesSessionLock: boolean): Promise<void> {
  for (let turn = 0; !stopped.aborted; turn += 1) {
    const pair = async () => {
      await db.begin(async (tx) => {
        const id = randomUUID();
        await tx`insert into pairs values (${id})`;
        if (turn % 2 === 0) await pause(turn % 20);
        await Promise.all([tx`insert into pairs values (${id})`, tx`select pg_sleep(0.002)`]);
      });
    };
    await (usesSessionLock && turn % 3 === 0 ? withSessionLock(db, 'pairs', pair) : pair()).catch((error) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    await pause(1);
  }
}

/** Waits until every connection serves: PostgreSQL may still end some. */
async function untilAllConnect(): Promise<void> {
  const overAll = () => Promise.all(Array.from({ length: 16 }, () => db`select pg_sleep(0.02)`));
  while (!(await overAll().then(Boolean, () => false))) await pause(20);
}

/** Kills the database in some way amid transactions, and lets it serve again. */
async function killAmidTransactions(kill: () => Promise<void>): Promise<void> {
  await db`create table if not exists pairs (id uuid)`;
  const done = new AbortController();
  const work = Array.from({ length: 12 }, (_, at) => writePairs(done.signal, at < 2));
  await pause(60);
  await kill();
  await until(200);
  done.abort();
  await Promise.all(work);
  await untilAllConnect();
}

const hasPairs = async () => (await db`select from pairs limit 1`).length === 1;
const listHalves = () => db`select id, count(*) from pairs group by id having count(*) <> 2`;

test.each([1, 2, 3])('after one backend is killed, no transaction is half committed (round %i)', async () => {
  // PostgreSQL ends the others and recovers on its own
  await killAmidTransactions(async () => void process.kill((await backends()).at(-1) ?? 0, 'SIGKILL'));
  expect(await hasPairs()).toBe(true);
  expect(await listHalves()).toEqual([]);
});

test.each([1, 2, 3])(
  'after the server is killed, calls get 503 until it runs again, and no transaction is half committed (round %i)',
  async () => {
    await killAmidTransactions(async () => {
      const [postmasterPid, pids] = [await postmaster(), await backends()];
      for (const pid of [postmasterPid, ...pids]) process.kill(pid, 'SIGKILL');
      await untilGone(postmasterPid);
      await until(503);
      expect(Number((await ask()).headers['retry-after'])).toBeGreaterThan(0);
      await startAgain();
    });
    expect(await hasPairs()).toBe(true);
    expect(await listHalves()).toEqual([]);
  },
);
