import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#app.ts';
import { anApp } from '#testing/app-under-test.ts';

const api = await anApp();
let whyNot: 'starting' | 'stopping' | undefined = 'starting';
const app = buildApp({ ...api, whyNotReady: () => whyNot });
afterAll(async () => {
  await app.close();
  await api.close();
});

test('a server that starts or stops is alive and not ready', async () => {
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  whyNot = undefined;
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  whyNot = 'stopping';
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  const { statusCode, body } = await app.inject('/readyz');
  expect([statusCode, body]).toEqual([503, '{"status":"stopping"}']);
});
