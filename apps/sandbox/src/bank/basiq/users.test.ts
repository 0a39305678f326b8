import { expect, test } from 'vitest';
import { aSandbox, connect } from '#testing/sandbox-under-test.ts';

test('the same address twice makes two users', async () => {
  const sandbox = await aSandbox();
  const one = await sandbox.basiq('POST', '/users', {
    email: 'joan@example.com',
    mobile: '+61412345678',
    firstName: 'Joan',
  });
  const other = await sandbox.basiq('POST', '/users', { email: 'joan@example.com' });
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(one.json.id).not.toBe(other.json.id);
  expect((await sandbox.basiq('GET', `/users/${one.json.id}`)).json).toMatchObject({
    name: 'Joan',
    connections: { count: 0 },
  });
  await sandbox.close();
});

test.each([
  [{}, "One of 'email' or 'mobile' is required."],
  [{ email: 'joan' }, 'Provided email is in bad format.'],
  [{ mobile: '0412345678' }, 'Provided mobile is in bad format.'],
])('%j is refused', async (body, detail) => {
  const sandbox = await aSandbox();
  const answer = await sandbox.basiq('POST', '/users', body);
  expect([answer.status, answer.json.data[0].detail]).toEqual([400, detail]);
  await sandbox.close();
});

test('deleting a user takes everything along', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  expect((await sandbox.basiq('DELETE', `/users/${userId}`)).status).toBe(204);
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data[0].detail).toBe(
    'Requested user does not exist.',
  );
  await sandbox.close();
});

test('an auth link is valid for seven days and the newest replaces the one before', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  expect((await sandbox.basiq('GET', `/users/${userId}/auth_link`)).status).toBe(404);
  const first = await sandbox.basiq('POST', `/users/${userId}/auth_link`, { mobile: '+61412345678' });
  const second = await sandbox.basiq('POST', `/users/${userId}/auth_link`);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect((await sandbox.basiq('GET', `/users/${userId}/auth_link`)).json.id).toBe(second.json.id);
  await sandbox.pass(7 * 86_400);
  expect((await sandbox.basiq('GET', `/users/${userId}/auth_link`)).status).toBe(410);
  await sandbox.close();
});
