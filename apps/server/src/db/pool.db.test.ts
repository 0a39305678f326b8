import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { connect, type Db, type Pool } from './connect.ts';
import { unusedMs } from './connections.ts';
import { isConnectionLost } from './database-answers.ts';

const database = ownDatabase();
let pool: Pool;
beforeEach(async () => {
  pool = connect(database.url, { max: 2, limits: { statementMs: 60_000, lockMs: 60_000, idleInTransactionMs: 500 } });
  await pool`create table if not exists notes (id int primary key, text text)`;
  await pool`truncate notes`;
});
afterEach(() => pool.end({ timeout: 1 }));

const ids = async () => (await pool<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id);
const pidOf = async (sql: Db) => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
};
const kill = (pid: number) => database.pool`select pg_terminate_backend(${pid}, 5000)`;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a statement', () => {
  test('runs once, when it is awaited, and never when it is not', async () => {
    const insert = pool`insert into notes values (1, 'a')`;
    pool`insert into notes values (2, 'b')`;
    expect((await insert).count).toBe(1);
    await insert;
    expect(await ids()).toEqual([1]);
  });

  test('says how many rows it changed or returned', async () => {
    expect((await pool`insert into notes select generate_series(1, 5)`).count).toBe(5);
    expect((await pool`select from notes where id > 2`).count).toBe(3);
    expect((await pool`create temp table passing (id int)`).count).toBe(0);
    expect(await pool`select id from notes where id = 1`).toEqual([{ id: 1 }]);
  });

  test('that is refused rejects with PostgreSQL’s code and the place that made it', async () => {
    await pool`insert into notes values (1, 'a')`;
    const error = await failureOf(pool`insert into notes values (1, 'b')`);
    expect(error).toMatchObject({ code: '23505', constraint: 'notes_pkey' });
    expect((error as Error).stack).toContain('pool.db.test.ts');
  });

  test('is prepared once a connection, under the hash of its text', async () => {
    const session = await pool.reserve();
    for (const id of [1, 2, 3]) await session`select ${id}::int as twice`;
    const rows = await session<{ name: string; parses: number }[]>`
      select name, generic_plans + custom_plans as parses from pg_prepared_statements where statement like '%as twice'`;
    session.release();
    expect(rows).toEqual([{ name: expect.stringMatching(/^[0-9a-f]{40}$/), parses: 3 }]);
  });

  test('is prepared again when its table has changed, and in a transaction the next time', async () => {
    const one = connect(database.url, { max: 1 });
    const read = (sql: Db) => sql`select * from notes`;
    await read(one);
    await database.pool`alter table notes add column more int`;
    expect(await read(one)).toEqual([]);
    await database.pool`alter table notes drop column more`;
    expect(await failureOf(one.begin(read))).toMatchObject({ code: '0A000' });
    expect(await one.begin(read)).toEqual([]);
    await one.end();
  });

  test('reads its rows page by page, on the pool and in a transaction, and may be left early', async () => {
    await pool`insert into notes select generate_series(1, 7)`;
    const lengths = async (sql: Db) => {
      const found: number[] = [];
      for await (const rows of sql<{ id: number }[]>`select id from notes where id <> ${4} order by id`.cursor(3))
        found.push(rows.length);
      return found;
    };
    expect(await lengths(pool)).toEqual([3, 3]);
    expect(await pool.begin(lengths)).toEqual([3, 3]);
    for (let times = 0; times < 5; times += 1) for await (const _ of pool`select id from notes`.cursor(1)) break;
    expect(await ids()).toHaveLength(7);
  });
});

test('statements share busy connections, and a transaction has one to itself, in the order of asking', async () => {
  const done: string[] = [];
  const one = connect(database.url, { max: 1 });
  const first = one`select pg_sleep(0.2)`.then(() => done.push('first'));
  const shared = one`select 1`.then(() => done.push('shared'));
  const alone = one.begin(async (tx) => {
    await tx`select pg_sleep(0.05)`;
    done.push('transaction');
  });
  const last = one`select 1`.then(() => done.push('last'));
  await Promise.all([first, shared, alone, last]);
  expect(done).toEqual(['first', 'shared', 'transaction', 'last']);
  await one.end();
});

describe('a transaction', () => {
  test('is committed as a whole or not at all', async () => {
    await pool.begin(async (tx) => {
      await tx`insert into notes values (1, 'a')`;
    });
    const failing = pool.begin(async (tx) => {
      await tx`insert into notes values (2, 'b')`;
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await ids()).toEqual([1]);
  });

  test('is rolled back by a statement that failed, also where that was caught', async () => {
    const caught = pool.begin(async (tx) => {
      await tx`insert into notes values (1, 'a')`;
      await tx`insert into notes values (1, 'b')`.catch(() => {});
    });
    expect(await failureOf(caught)).toMatchObject({ code: '23505' });
    const goingOn = pool.begin(async (tx) => {
      await tx`select 1 / 0`.catch(() => {});
      await tx`select 1`;
    });
    expect(await failureOf(goingOn)).toMatchObject({ code: '22012' });
    expect(await ids()).toEqual([]);
  });

  test('sends concurrent statements in their order, and rejects with the first that fails', async () => {
    await pool.begin((tx) =>
      Promise.all([tx`insert into notes values (1)`, tx`update notes set text = 'a' where id = 1`]),
    );
    expect(await pool`select id, text from notes`).toEqual([{ id: 1, text: 'a' }]);
    const failing = pool.begin((tx) =>
      Promise.all([tx`insert into notes values (2)`, tx`select 1 / 0`, tx`insert into notes values (3)`]),
    );
    expect(await failureOf(failing)).toMatchObject({ code: '22012' });
    expect(await ids()).toEqual([1]);
  });

  test('refuses statements after its end: they would run outside', async () => {
    let late: Promise<unknown> | undefined;
    const failing = pool.begin(async (tx) => {
      late = failureOf(wait(50).then(() => tx`insert into notes values (1)`));
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await late).toMatchObject({ message: expect.stringContaining('after the end') });
    expect(await ids()).toEqual([]);
  });

  test('has the mode that is asked for', async () => {
    const writing = pool.begin((tx) => tx`insert into notes values (1)`, 'read only');
    expect(await failureOf(writing)).toMatchObject({ code: '25006' });
  });

  test('that stands idle past its limit rejects', async () => {
    const error = await failureOf(pool.begin(() => wait(60_000, undefined, { ref: false })));
    expect(error).toMatchObject({ code: '25P03' });
    expect(isConnectionLost(error)).toBe(true);
    expect(await ids()).toEqual([]);
  });
});

describe('a lost connection', () => {
  test('rejects the statement on it, and the pool stays usable', async () => {
    const session = await pool.reserve();
    const pid = await pidOf(session);
    session.release();
    const sleeping = failureOf(Promise.all([pool`select pg_sleep(30)`, pool`select pg_sleep(30)`]));
    await wait(50);
    await kill(pid);
    expect(isConnectionLost(await sleeping)).toBe(true);
    await pool.end({ timeout: 0 });
  });

  test('rejects its transaction, which did not happen', async () => {
    const error = await failureOf(
      pool.begin(async (tx) => {
        await tx`insert into notes values (1)`;
        await kill(await pidOf(tx));
        await tx`insert into notes values (2)`;
      }),
    );
    expect(isConnectionLost(error)).toBe(true);
    expect(await ids()).toEqual([]);
  });

  test('refuses every further statement of its session', async () => {
    const session = await pool.reserve();
    await kill(await pidOf(session));
    expect(isConnectionLost(await failureOf(session.unsafe('select 1')))).toBe(true);
    expect(isConnectionLost(await failureOf(session.unsafe('select 1')))).toBe(true);
    session.release();
    expect(await ids()).toEqual([]);
  });

  test('that nobody used is not used any more', async () => {
    const one = connect(database.url, { max: 1 });
    await kill(await pidOf(one));
    await wait(50);
    expect(await one`select 1 as one`).toEqual([{ one: 1 }]);
    await one.end();
  });

  test('is opened again where it was closed unused; one in use stays', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      const few = connect(database.url, { max: 3, name: 'few' });
      const named = async () =>
        (await database.pool`select 1 from pg_stat_activity where application_name = 'few'`).length;
      await Promise.all([1, 2, 3].map(() => few.begin((tx) => tx`select pg_sleep(0.01)`)));
      const used = await few.reserve();
      expect(await named()).toBe(3);
      vi.advanceTimersByTime(unusedMs - 1);
      await few`select 1`;
      vi.advanceTimersByTime(1);
      await expect.poll(named).toBe(2); // one was in use, and one has been used since
      vi.advanceTimersByTime(unusedMs);
      await expect.poll(named).toBe(1);
      expect(await used`select 1 as one`).toEqual([{ one: 1 }]);
      used.release();
      expect(await Promise.all([1, 2, 3].map(() => few.begin((tx) => tx`select 1 as one`)))).toHaveLength(3);
      await few.end();
    } finally {
      vi.useRealTimers();
    }
  });

  test('listens again, and says so', async () => {
    const heard: string[] = [];
    const other = connect(database.url, { max: 1, name: 'listening' });
    const listening = await other.listen(
      'news',
      (payload) => heard.push(payload),
      () => heard.push('listening'),
    );
    const [row] = await pool<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'listening'`;
    await kill(row?.pid ?? 0);
    while (heard.length < 2) await wait(10);
    await pool`select pg_notify('news', 'hello')`;
    while (heard.length < 3) await wait(10);
    expect(heard).toEqual(['listening', 'listening', 'hello']);
    await listening.unlisten();
    await other.end();
  });
});

describe('the end', () => {
  test('waits for what runs, refuses what waits or comes, and leaves no connection', async () => {
    const ending = connect(database.url, { max: 1, name: 'ending' });
    await ending`select 1`;
    const slow = ending`select pg_sleep(0.2), 1 as done`.execute();
    const waiting = failureOf(ending.begin((tx) => tx`select 1`));
    await wait(50);
    await ending.end();
    expect((await slow).count).toBe(1);
    expect(isConnectionLost(await waiting)).toBe(true);
    expect(isConnectionLost(await failureOf(ending`select 1`))).toBe(true);
    expect(await pool`select pid from pg_stat_activity where application_name = 'ending'`).toEqual([]);
  });

  test('cuts off what runs past its time', async () => {
    const ending = connect(database.url, { max: 1 });
    const slow = failureOf(ending`select pg_sleep(60)`);
    await wait(100);
    await ending.end({ timeout: 0.1 });
    expect(isConnectionLost(await slow)).toBe(true);
  });
});

test('a server that refuses connections rejects each statement, and nothing else', async () => {
  const nobody = connect('postgres://nobody@127.0.0.1:1/none', { max: 1 });
  expect(isConnectionLost(await failureOf(nobody`select 1`))).toBe(true);
  expect(isConnectionLost(await failureOf(nobody.begin((tx) => tx`select 1`)))).toBe(true);
  expect(isConnectionLost(await failureOf(nobody.listen('news', () => {})))).toBe(true);
  await nobody.end();
});

test('instants are shown in UTC, beside options of the URL', async () => {
  const other = connect(`${database.url}?options=-c%20work_mem%3D8MB`, { max: 1, name: 'named' });
  const [row] = await other`
    select current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
      current_setting('application_name') as name`;
  expect(row).toEqual({ zone: 'UTC', memory: '8MB', name: 'named' });
  await other.end();
});
