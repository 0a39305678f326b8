import { afterEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { connect, type Pool } from './connect.ts';
import { isDatabaseUnavailable } from './database-answers.ts';
import { limitsOfProcess } from './limits.ts';
import { migrate } from './migrate.ts';

const database = ownDatabase();
const opened: Pool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.end({ timeout: 1 })));
});
function open(limits: Parameters<typeof connect>[1] = {}): Pool {
  const pool = connect(database.url, limits);
  opened.push(pool);
  return pool;
}
const shown = async (pool: Pool, name: string) => {
  const [row] = await pool<{ value: string }[]>`select current_setting(${name}) as value`;
  return row?.value;
};
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a process’s connections', () => {
  test.each([
    ['api', '1min', '30s', '1min'],
    ['worker', '6h', '30min', '10min'],
    ['api worker sandbox', '6h', '30min', '10min'],
    ['ops', '12h', '5min', '10min'],
  ])('of %s end what takes too long', async (name, statement, lock, idle) => {
    const pool = open({ max: 1, limits: limitsOfProcess(name) });
    expect(await shown(pool, 'statement_timeout')).toBe(statement);
    expect(await shown(pool, 'lock_timeout')).toBe(lock);
    expect(await shown(pool, 'idle_in_transaction_session_timeout')).toBe(idle);
  });

  test('take the statement’s limit that is configured, 0 for none', async () => {
    expect(await shown(open({ max: 1, limits: limitsOfProcess('api', 5) }), 'statement_timeout')).toBe('5s');
    expect(await shown(open({ max: 1, limits: limitsOfProcess('api', 0) }), 'statement_timeout')).toBe('0');
  });

  test('a statement, a lock and an idle transaction past their limit count as a database that is unavailable', async () => {
    const pool = open({ max: 2, limits: { statementMs: 200, lockMs: 100, idleInTransactionMs: 200 } });
    expect(isDatabaseUnavailable(await failure(pool`select pg_sleep(1)`))).toBe(true);
    const holder = await database.pool.reserve();
    try {
      await holder`select pg_advisory_lock(4711)`;
      expect(isDatabaseUnavailable(await failure(pool`select pg_advisory_lock(4711)`))).toBe(true);
    } finally {
      await holder`select pg_advisory_unlock(4711)`;
      holder.release();
    }
  });
});

test('migrations run one process at a time, without the limits of statements, and never queue behind a long reader', async () => {
  const limited = open({ max: 2, limits: { statementMs: 50, lockMs: 50, idleInTransactionMs: 0 } });
  await expect(Promise.all([migrate(limited), migrate(database.pool)])).resolves.toEqual([[], []]);
  const name = '20261122001300_emails_and_receipts.sql';
  await database.pool`delete from migrations where name = ${name}`;
  await database.pool`drop table mails, mail_bounces, receipts cascade`;
  const reader = await database.pool.reserve();
  try {
    await reader`begin`;
    await reader`lock table supporters in access exclusive mode`;
    const error = await failure(migrate(limited, { lockMs: 100, tries: 2, pauseMs: 10 }));
    expect((error as Error).message).toContain(name);
    expect((error as Error).message).toContain('waited for a lock');
  } finally {
    await reader`rollback`;
    reader.release();
  }
  expect(await migrate(limited)).toEqual([name]);
});
