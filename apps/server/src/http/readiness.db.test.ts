import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#app.ts';
import { anApp } from '#testing/app-under-test.ts';

const api = await anApp();
let isSeeded = false;
const app = buildApp({ ...api, isSeeded: () => isSeeded });
afterAll(async () => {
  await app.close();
  await api.close();
});

test('a server that is still seeding its tenants and clubs lives and is not ready', async () => {
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  isSeeded = true;
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});
