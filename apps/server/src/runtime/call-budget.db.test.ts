import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { NoFreeTurn } from '#ports/errors.ts';
import { makeSend } from '#providers/outgoing/send.ts';
import { ownDatabase } from '#testing/database.ts';
import { callBudget } from './call-budget.ts';

const database = ownDatabase();
beforeEach(async () => {
  await database.rows`truncate rate_limits`;
});

const manyCalls = (pool: Pool, provider: string, perSecond: number, count: number) => {
  const { waitForTurn } = callBudget(pool, provider, perSecond);
  return Promise.all(Array.from({ length: count }, () => waitForTurn?.()));
};

test('processes share the calls of a second', async () => {
  const pools = [1, 2].map(() => database.open(2));
  const startedAt = performance.now();
  await Promise.all(pools.map((pool) => manyCalls(pool, 'basiq', 40, 40)));
  // 40 of 80 calls are granted immediately; each process may hold a lease of 4 of the others.
  expect(performance.now() - startedAt).toBeGreaterThan(((80 - 40 - 8) / 40) * 1_000);
  for (const pool of pools) await pool.end();
});

test('one provider takes nothing from another', async () => {
  await manyCalls(database.pool, 'basiq', 10, 10);
  await manyCalls(database.pool, 'zepto', 10, 10);
  const rows = await database.rows`select key from rate_limits order by key`;
  expect([...rows]).toEqual([{ key: 'calls of basiq' }, { key: 'calls of zepto' }]);
});

test('the time-out of a call begins when its turn has come', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const send = makeSend({ provider: 'Basiq', timeoutMs: 1_500, ...callBudget(database.pool, 'basiq', 1) });
  const ask = () => send({ purpose: 'ask', method: 'GET', url, headers: {}, isRepeatable: false });
  const answers = await Promise.all([ask(), ask(), ask(), ask()]); // the last waits for three seconds
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  server.close();
});

test('without a number nobody waits', () => expect(callBudget(database.pool, 'basiq', undefined)).toEqual({}));

test('a call that waits a minute for its turn is not made', async () => {
  const { waitForTurn } = callBudget(database.pool, 'basiq', 0.001);
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_001);
  await expect(waitForTurn?.()).rejects.toThrow(NoFreeTurn);
  now.mockRestore();
});
