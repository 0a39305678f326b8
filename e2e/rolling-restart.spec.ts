import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { getUser, setWeeklyLimit } from '@sparechange/contract';
import { connect } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { aPlace, type Program, startProduct, stopProduct, untilReady } from './product.ts';
import { startProxy } from './proxy.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const demo = { email: 'demo@sparechange.example', password: 'spare-change-demo' };

/** The product as two api and two worker processes on one database, behind a proxy, with the sandbox apart. */
async function startProcesses() {
  const database = await startEmbedded((await aPlace()).dataDir, withoutFsync);
  const [outside, ...places] = await Promise.all([1, 2, 3, 4, 5].map(aPlace));
  if (!outside) throw new Error('There is no place for the sandbox.');
  const apis = places.slice(0, 2);
  const proxy = await startProxy(apis.map(({ port }) => port));
  const shared = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_POOL_SIZE: '8',
    DATA_KEY: '5e'.repeat(32),
    IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    PRODUCT_URL: proxy.home,
    SANDBOX_PORT: String(outside.port + 1),
    RATE_LIMIT_FACTOR: '0',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '1',
    LOG_LEVEL: 'error',
  };
  const starts = places.map((place, at) => () => startProduct(place, shared, at < 2 ? 'api' : 'worker'));
  // The sandbox notifies the product at its own PORT: there stands the proxy.
  const sandbox = startProduct({ ...outside, port: proxy.port }, { ...shared, PORT: String(proxy.port) }, 'sandbox');
  await untilReady(sandbox);
  const programs = starts.map((start) => start());
  await Promise.all(programs.map(untilReady));
  await expect.poll(proxy.countReady).toBe(2);
  return {
    home: proxy.home,
    bank: `http://localhost:${outside.port + 1}`,
    database,
    count: programs.length,
    /** Replaces one process by a new one, and waits for it as a rollout does. */
    restart: async (at: number) => {
      expect(await stopProduct(programs[at] as Program)).toBe(0);
      programs[at] = starts[at]?.() as Program;
      await untilReady(programs[at] as Program);
      await expect.poll(proxy.countReady).toBe(2);
    },
    stop: async () => {
      for (const program of [...programs, sandbox]) await stopProduct(program);
      proxy.close();
      await database.release();
    },
  };
}

/** Calls that go on and on from several callers at once, with what was answered other than hoped for. */
function keepCalling(home: string, idToken: string, uid: string, cdrid: string) {
  const failures: string[] = [];
  const tenant = {
    apikey: 'pk_bf943cd007d5536ebe058f0357d80b8b',
    tenant: 'default',
    authorization: `Bearer ${idToken}`,
  };
  let calls = 0;
  let isOver = false;
  const call = async (name: string, path: string, body?: unknown, headers = {}) => {
    calls += 1;
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await fetch(`${home}${path}`, { ...sent, headers: { ...json, ...headers } });
      const text = await answer.text();
      if (!answer.ok) failures.push(`${name}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${name}: ${String((error as Error).cause ?? error)}`);
    }
  };
  const callers = [
    () => call('get-user', `/api${getUser.path}`, { userId: uid }, tenant),
    () => call('get-user', `/api${getUser.path}`, { userId: uid }, tenant),
    () => call('weekly limit', `/api${setWeeklyLimit.path}`, { cdrid, weeklyMaximumLimit: 1000 }, tenant),
    () => call('sign-in', '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=fake-api-key', demo),
    () => call('the web app', '/config.json'),
  ];
  const done = callers.map(async (next) => {
    while (!isOver) {
      await next();
      await wait(20);
    }
  });
  return {
    finish: async () => {
      isOver = true;
      await Promise.all(done);
      return { calls, failures };
    },
  };
}

test('each process is replaced in turn without a failed call or a lost job', async () => {
  const product = await startProcesses();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(product.stop);
  const db = connect(product.database.ownerUrl, { max: 1 });
  cleanup.defer(() => db.end());
  const signedIn = await fetch(
    `${product.home}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=fake-api-key`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...demo, returnSecureToken: true }),
    },
  );
  const { idToken, localId } = (await signedIn.json()) as { idToken: string; localId: string };
  const [supporter] = await db<{ id: string }[]>`select supporter_id as id from supporters where email = ${demo.email}`;
  const load = keepCalling(product.home, idToken, localId, supporter?.id ?? '');

  let bought = 0;
  let isOver = false;
  const buying = (async () => {
    while (!isOver) {
      const body = JSON.stringify({ email: demo.email, amount: '4.35', description: `KIOSK ${bought}` });
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(`${product.bank}/control/purchases`, { method: 'POST', headers, body })).status).toBe(201);
      bought += 1;
      await wait(250);
    }
  })();
  for (let at = 0; at < product.count; at += 1) await product.restart(at);
  isOver = true;
  await buying;
  const { calls, failures } = await load.finish();

  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  const open = async () => {
    const [row] = await db<{ recorded: number; notifications: number; dead: number }[]>`
      select (select count(*)::int from round_ups where description like 'KIOSK%') as recorded,
        (select count(*)::int from notifications where handled_at is null) as notifications,
        (select count(*)::int from pgboss.job where name = 'dead-letters') as dead`;
    return row;
  };
  // A job that a worker had to leave is taken up after a minute of silence.
  await expect.poll(open, { timeout: 240_000 }).toEqual({ recorded: bought, notifications: 0, dead: 0 });
});
