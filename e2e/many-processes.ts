import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { EmbeddedDatabase } from '@sparechange/server/db/embedded.ts';
import { aPlace, type Ops, type Program, runOps, startProduct, stopProduct, untilReady } from './product.ts';
import { startProxy } from './proxy.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface Member {
  role: 'api' | 'worker';
  /** The folder of another version than this one. */
  checkout?: string;
}

interface LoggedError {
  message: string;
  /** Errors inside an error of several. */
  aggregateErrors?: LoggedError[];
}

const errorsOf = (program: Program): string[] =>
  program
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const { msg, err } = JSON.parse(line) as { msg: string; err?: LoggedError };
      return [`${msg}: ${err?.message}`, ...new Set(err?.aggregateErrors?.map(({ message }) => message))].join('; ');
    });

/** Makes the product of several processes on one database, behind a proxy, with the sandbox apart; none runs yet. */
export async function manyProcesses(database: Pick<EmbeddedDatabase, 'url' | 'ownerUrl'>, members: Member[]) {
  const [outside, ...places] = await Promise.all([...members.map(aPlace), aPlace()]);
  if (!outside) throw new Error('There is no place for the sandbox.');
  const proxy = await startProxy(places.filter((_, at) => members[at]?.role === 'api').map(({ port }) => port));
  const shared = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_POOL_SIZE: '8',
    AUDIT_CHECKPOINT_FILE: join(outside.dataDir, 'audit-checkpoints.jsonl'),
    DATA_KEY: '5e'.repeat(32),
    IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    PRODUCT_URL: proxy.home,
    SANDBOX_PORT: String(outside.port + 1),
    RATE_LIMIT_FACTOR: '0',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '1',
    LOG_LEVEL: 'error',
  };
  // The sandbox notifies the product at its own PORT, so the proxy listens there.
  const sandbox = startProduct({ ...outside, port: proxy.port }, shared, 'sandbox');
  await untilReady(sandbox);
  const running = new Map<number, Program>();
  const ended: Program[] = [];

  const start = async (at: number) => {
    const [place, member] = [places[at], members[at]];
    if (!place || !member) throw new Error(`There is no process ${at}.`);
    const program = startProduct({ ...place, ...member }, shared, member.role);
    running.set(at, program);
    await untilReady(program);
    const apis = [...running.keys()].filter((each) => members[each]?.role === 'api');
    await expect.poll(proxy.countReady).toBe(apis.length);
  };
  const stop = async (at: number) => {
    const program = running.get(at) as Program;
    expect(await stopProduct(program)).toBe(0);
    running.delete(at);
    ended.push(program);
  };
  return {
    home: proxy.home,
    bank: `http://localhost:${outside.port + 1}`,
    start,
    stopOne: stop,
    /** Replaces a process by a new one, and waits for it as a rollout does. */
    restart: async (at: number) => {
      await stop(at);
      await start(at);
    },
    /** Returns the operator of this version, or of another. */
    opsOf: (checkout?: string): Ops => {
      const place = { ...outside, ...(checkout ? { checkout } : {}), port: proxy.port, env: shared };
      return (...words) => runOps(place, ...words);
    },
    /** Returns the processes' logged errors, without repetition. */
    errors: () => [...new Set([...ended, ...running.values()].flatMap(errorsOf))],
    stop: async () => {
      for (const program of [...running.values(), sandbox]) await stopProduct(program);
      proxy.close();
    },
  };
}
