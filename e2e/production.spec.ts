import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@playwright/test';
import { aPlace, startProduct, stopProduct, untilReady } from './product.ts';

/** An address of this machine that is not the machine's own loop: production takes no provider from there. */
function outerAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

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
  DATA_KEY: '5e'.repeat(32),
  IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  PRODUCT_URL: 'https://giving.example',
  BASIQ_API_KEY: 'a-real-key',
  BASIQ_WEBHOOK_SECRET: 'whsec_cmVhbC1zZWNyZXQ=',
  ZEPTO_TOKEN: 'a-real-token',
  ZEPTO_WEBHOOK_SECRET: 'a-real-secret',
};

test('production starts and serves while its providers are away, says so, and recovers with them', async () => {
  const host = outerAddress();
  test.skip(!host, 'this machine has no address but its own loop');
  if (!host) return;
  const [bank, payments, mail] = [await freePort(host), await freePort(host), await freePort(host)];
  const addresses = {
    BASIQ_API_URL: `http://${host}:${bank}`,
    BASIQ_CONSENT_URL: `http://${host}:${bank}/home`,
    ZEPTO_API_URL: `http://${host}:${payments}`,
    SMTP_URL: `smtp://${host}:${mail}`,
  };
  const place = { ...(await aPlace()), env: { ...secrets, ...addresses } };
  const program = startProduct(place);
  await untilReady(program);
  expect(program.said()).toContain('Sparechange is ready (api, worker).');
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
