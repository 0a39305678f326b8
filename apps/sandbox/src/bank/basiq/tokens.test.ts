import { expect, test } from 'vitest';
import { apiKey, aSandbox } from '#testing/sandbox-under-test.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const good = { ...form, authorization: `Basic ${apiKey}`, 'basiq-version': '3.0' };

test('a key gets a token that opens the API for an hour', async () => {
  const sandbox = await aSandbox();
  const answer = await sandbox.request({
    method: 'POST',
    url: '/basiq/token',
    headers: good,
    payload: 'scope=SERVER_ACCESS',
  });
  expect(answer.json).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
  const headers = { authorization: `Bearer ${answer.json.access_token}` };
  const userId = await sandbox.addUser();
  const read = () => sandbox.request({ method: 'GET', url: `/basiq/users/${userId}`, headers });
  expect((await read()).status).toBe(200);
  await sandbox.pass(3599);
  expect((await read()).status).toBe(200);
  await sandbox.pass(1);
  const expired = await read();
  expect(expired.status).toBe(403);
  expect(expired.json.data[0].detail).toBe('Token has expired');
  await sandbox.close();
});

test.each([
  ['no key', { ...form, 'basiq-version': '3.0' }, 400],
  ['a wrong key', { ...good, authorization: 'Basic bm90aGluZw==' }, 404],
  ['a key encoded once more', { ...good, authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }, 404],
  ['no version', { ...form, authorization: `Basic ${apiKey}` }, 400],
  ['version 2.1', { ...good, 'basiq-version': '2.1' }, 400],
])('%s is refused', async (_name, headers, status) => {
  const sandbox = await aSandbox();
  const answer = await sandbox.request({
    method: 'POST',
    url: '/basiq/token',
    headers,
    payload: 'scope=SERVER_ACCESS',
  });
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ type: 'list', data: [{ type: 'error' }] });
  expect(answer.json.correlationId).toMatch(/^[0-9a-f-]{36}$/);
  await sandbox.close();
});

test('a token for the consent pages does not open the API', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const ask = (authorization: string) =>
    sandbox.request({ method: 'GET', url: `/basiq/users/${userId}`, headers: { authorization } });
  expect((await ask(`Bearer ${await sandbox.token('CLIENT_ACCESS', userId)}`)).status).toBe(403);
  expect((await ask('Bearer made.up.token')).status).toBe(401);
  expect((await ask('')).status).toBe(401);
  await sandbox.close();
});
