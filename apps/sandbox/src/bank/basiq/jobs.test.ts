import { expect, test } from 'vitest';
import { aSandbox, authorise, authoriseAs, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

async function stepsOf(sandbox: SandboxUnderTest, jobId: string): Promise<string[]> {
  const { json } = await sandbox.basiq('GET', `/jobs/${jobId}`);
  return json.steps.map(({ status }: { status: string }) => status);
}

test('an ordinary job is done within three seconds, step by step', async () => {
  const sandbox = await aSandbox();
  const { jobId, userId } = await authorise(sandbox, '12345678');
  const { json } = await sandbox.basiq('GET', `/jobs/${jobId}`);
  expect(json.steps).toEqual([
    { title: 'verify-credentials', status: 'in-progress', result: null },
    { title: 'retrieve-accounts', status: 'pending', result: null },
    { title: 'retrieve-transactions', status: 'pending', result: null },
  ]);
  expect(json.status).toBeUndefined();
  expect(json.links.source).toBeUndefined();
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data).toEqual([]);
  await sandbox.pass(0.5);
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'in-progress', 'pending']);
  await sandbox.pass(2);
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'success', 'success']);
  const done = (await sandbox.basiq('GET', `/jobs/${jobId}`)).json;
  expect(done.steps[1].result).toMatchObject({
    type: 'link',
    url: expect.stringMatching(`^/users/${userId}/accounts`),
  });
  expect(done.links.source).toContain(`/basiq/users/${userId}/connections/`);
  await sandbox.close();
});

test('CRN 90000001 fails at the bank', async () => {
  const sandbox = await aSandbox();
  const { jobId, userId } = await connect(sandbox, '90000001');
  const { json } = await sandbox.basiq('GET', `/jobs/${jobId}`);
  expect(json.steps.map(({ status }: { status: string }) => status)).toEqual(['failed', 'pending', 'pending']);
  expect(json.steps[0].result.code).toBe('account-not-accessible-requires-user-action');
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data).toEqual([]);
  await sandbox.close();
});

test('CRN 90000002 stays pending for more than 25 seconds', async () => {
  const sandbox = await aSandbox();
  const { jobId } = await authorise(sandbox, '90000002');
  await sandbox.pass(26);
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'in-progress', 'pending']);
  await sandbox.pass(34);
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'success', 'success']);
  await sandbox.close();
});

test('CRN 90000003 connects and has no accounts', async () => {
  const sandbox = await aSandbox();
  const { jobId, userId } = await connect(sandbox, '90000003');
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'success', 'success']);
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data).toEqual([]);
  await sandbox.close();
});

test('CRN 90000004 answers 503', async () => {
  const sandbox = await aSandbox();
  const { jobId, userId } = await connect(sandbox, '90000004');
  for (const path of [`/jobs/${jobId}`, `/users/${userId}/accounts`, `/users/${userId}/transactions`]) {
    const answer = await sandbox.basiq('GET', path);
    expect([answer.status, answer.json.data[0].code]).toEqual([503, 'service-unavailable']);
  }
  await sandbox.close();
});

test('another bank that is connected after CRN 90000004 answers', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox, '90000004');
  const jobId = await authoriseAs(sandbox, userId, '12345678');
  await sandbox.pass(3);
  expect(await stepsOf(sandbox, jobId)).toEqual(['success', 'success', 'success']);
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).status).toBe(200);
  await sandbox.close();
});

test('jobs are listed for seven days, and a refresh under way is not started again', async () => {
  const sandbox = await aSandbox();
  const { userId, jobId } = await connect(sandbox);
  const listed = (await sandbox.basiq('GET', `/users/${userId}/jobs`)).json;
  expect(listed.data).toMatchObject([{ id: jobId, institution: { id: 'AU00000' } }]);
  const first = await sandbox.basiq('POST', `/users/${userId}/connections/refresh`);
  const second = await sandbox.basiq('POST', `/users/${userId}/connections/refresh`);
  expect([first.status, second.status]).toEqual([202, 200]);
  expect(second.json.data[0].id).toBe(first.json.data[0].id);
  await sandbox.pass(8 * 86_400);
  expect((await sandbox.basiq('GET', `/users/${userId}/jobs`)).json.data).toEqual([]);
  await sandbox.close();
});
