import { agreeToApproval, listApprovals, refuseApproval } from '@sparechange/contract/console';
import { expect, onTestFinished, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';

const api = ownApp({ edge: { patienceMs: 300 } });

/** Holds up the creation of keys, until the returned function is called. */
async function keysHeldUp(): Promise<() => Promise<unknown>> {
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = api.db.begin(async (tx) => {
    await tx`lock table api_keys in share mode`;
    held.resolve();
    await end.promise;
  });
  await held.promise;
  onTestFinished(() => end.resolve());
  return () => {
    end.resolve();
    return holding;
  };
}

test('a slow key is reported as under way, and is not created once nobody would see it', async () => {
  const [asker, other] = [await anOperator(api.db), await anOperator(api.db)];
  const request = { name: 'a club’s site', scopes: ['write_clubs' as const], days: 30 };
  const asked = await api.acts.apiKey({ kind: 'console', id: asker.id }, request, 'A key that writes');
  const id = 'approval' in asked ? asked.approval.id : '';
  const listed = async () => (await callConsole(api.app, listApprovals, {}, other)).body.approvals[0];
  const agree = async () => (await callConsole(api.app, agreeToApproval, { id }, other)).body;

  const letGo = await keysHeldUp();
  expect(await agree()).toEqual({ isUnderWay: true, shownOnce: null });
  expect(await listed()).toMatchObject({ state: 'agreed', isUnderWay: true });
  expect((await callConsole(api.app, refuseApproval, { id }, asker)).status).toBe(409);
  await letGo();
  await expect.poll(listed).toMatchObject({
    state: 'agreed',
    isUnderWay: false,
    failure: 'It took so long that nobody would have seen the secret, so it was not made.',
  });
  expect(await api.db`select from api_keys`).toHaveLength(0);
  expect(await api.metrics.text()).toContain('http_late_failures_total{route="/console/api/approvals/agree"} 1');

  expect((await agree()).shownOnce).toMatch(/\w{20}/);
  expect(await listed()).toMatchObject({ state: 'done', isUnderWay: false, failure: null });
});
