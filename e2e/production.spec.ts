import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { aPlace, inDatabase, startProduct, stopProduct, untilReady } from './product.ts';

/** Production accepts plain http only on its own machine, and not at the sandbox's ports and paths. */
const host = '127.0.0.1';

function freePort(host: string): Promise<number> {
  return new Promise((resolve) => {
    const probe = createTcpServer().listen(0, host, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const secrets = {
  APP_ENV: 'production',
  EMBEDDED_FSYNC: 'on',
  DATA_KEY: '5e'.repeat(32),
  IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  PRODUCT_URL: 'https://giving.example',
  BASIQ_API_KEY: 'a-real-key-of-the-bank',
  BASIQ_WEBHOOK_SECRET: 'whsec_YS1yZWFsLXNlY3JldC1vZi10aGUtYmFuaw==',
  ZEPTO_TOKEN: 'a-real-token-of-zepto',
  ZEPTO_BANK_ACCOUNT_ID: 'b1946ac9-2049-4f0e-9a8a-2f1d1f1c0a11',
  ZEPTO_WEBHOOK_SECRET: 'a-real-secret-of-zepto',
};

test('production starts and serves while its providers are unavailable, says so, and recovers with them', async () => {
  const [bank, payments, mail] = [await freePort(host), await freePort(host), await freePort(host)];
  const addresses = {
    BASIQ_API_URL: `http://${host}:${bank}`,
    BASIQ_CONSENT_URL: `http://${host}:${bank}/pages`,
    ZEPTO_API_URL: `http://${host}:${payments}`,
    SMTP_URL: `smtp://${host}:${mail}`,
  };
  const place = { ...(await aPlace()), env: { ...secrets, ...addresses } };
  const program = startProduct(place);
  await untilReady(program);
  expect(program.said()).toContain('Sparechange is ready (api, worker).');
  expect(program.said()).not.toContain('its owner'); // only people invited by an operator can sign in
  await inDatabase(place.dataDir, async (db) => expect(await db`select from operators`).toHaveLength(0));
  const home = `http://localhost:${place.port}`;
  const readiness = async () => {
    const answer = await fetch(`${home}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  const away = { bankLink: 'not ready', payments: 'not ready', mail: 'not ready' };
  expect(await readiness()).toEqual({ status: 200, body: { status: 'degraded', providers: away } });
  expect((await fetch(home)).status).toBe(200);
  expect((await fetch(`${home}/config.json`)).status).toBe(200);
  expect((await fetch(`${home}/healthz`)).status).toBe(200);

  const servers: Server[] = [];
  for (const port of [bank, payments, mail]) {
    const server = createServer((_request, response) => response.writeHead(503).end());
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    servers.push(server);
  }
  await expect.poll(readiness).toMatchObject({ status: 200, body: { status: 'ready' } });
  for (const server of servers) server.close();
  expect(await stopProduct(program)).toBe(0);
});
