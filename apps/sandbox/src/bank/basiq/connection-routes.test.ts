import { expect, test } from 'vitest';
import { aSandbox, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

const day = 86_400;

const connectionOf = async (sandbox: SandboxUnderTest, userId: string) =>
  (await sandbox.basiq('GET', `/users/${userId}/connections`)).json.data[0];

const transactionsOf = async (sandbox: SandboxUnderTest, userId: string) =>
  (await sandbox.basiq('GET', `/users/${userId}/transactions?limit=5`)).json;

test('a deleted connection keeps what it had brought, and gets nothing new', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const { id } = await connectionOf(sandbox, userId);
  expect((await sandbox.basiq('DELETE', `/users/${userId}/connections/${id}`)).status).toBe(204);
  const { size } = await transactionsOf(sandbox, userId);
  expect(size).toBeGreaterThan(1000);
  await sandbox.pass(10 * day);
  expect((await transactionsOf(sandbox, userId)).size).toBe(size);
  expect((await sandbox.basiq('GET', `/users/${userId}/connections`)).json.data).toEqual([]);
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data[0].status).toBe('unavailable');
  await sandbox.close();
});

test('a purged connection takes everything along, once', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const { id } = await connectionOf(sandbox, userId);
  const purge = () => sandbox.basiq('POST', `/users/${userId}/connections/${id}/purge`);
  expect((await purge()).status).toBe(204);
  expect((await transactionsOf(sandbox, userId)).data).toEqual([]);
  expect((await purge()).status).toBe(404);
  await sandbox.close();
});

test('a bank authorisation ends after a year although the consent was extended, and a refresh then fails', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  await sandbox.pass(300 * day);
  const token = await sandbox.token('CLIENT_ACCESS', userId);
  const page = await sandbox.request({ method: 'GET', url: `/home?token=${token}&action=extend` });
  const url = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await sandbox.request({ method: 'POST', url, headers, payload: 'step=extend&decision=extend' });
  await sandbox.pass(66 * day);
  const connection = await connectionOf(sandbox, userId);
  expect(connection.status).toBe('invalid');
  const refresh = await sandbox.basiq('POST', `/users/${userId}/connections/${connection.id}/refresh`);
  await sandbox.pass(3);
  expect((await sandbox.basiq('GET', `/jobs/${refresh.json.id}`)).json.steps[0].status).toBe('failed');
  expect((await sandbox.basiq('GET', `/users/${userId}/consents`)).json.data[0].status).toBe('active');
  await sandbox.close();
});

test('a connection is refreshed twenty times a day when asked, and not once more', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const refresh = async () => {
    const answer = await sandbox.basiq('POST', `/users/${userId}/connections/refresh`);
    await sandbox.pass(1);
    return answer;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 20; count += 1) statuses.push((await refresh()).status);
  expect(new Set(statuses)).toEqual(new Set([202]));
  const refused = await refresh();
  expect([refused.status, refused.json.data[0].code]).toEqual([429, 'too-many-requests']);
  await sandbox.pass(day);
  expect((await refresh()).status).toBe(202);
  await sandbox.close();
});
