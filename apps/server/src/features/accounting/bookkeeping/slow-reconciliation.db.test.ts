import { reconcileAgain } from '@sparechange/contract/console';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';

const api = ownApp({ edge: { patienceMs: 300 } });

/** Holds up the provider's list of payments until the returned function is called. */
function listHeldUp(): () => void {
  const end = Promise.withResolvers<void>();
  const { listPayments } = api.directDebit;
  vi.spyOn(api.directDebit, 'listPayments').mockImplementation(async function* (since) {
    await end.promise;
    yield* listPayments(since);
  });
  onTestFinished(() => end.resolve());
  return end.resolve;
}

test('a slow reconciliation continues in the background, once, and later callers read its result', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const again = () => callConsole(api.app, reconcileAgain, { day: '2026-11-20' }, finance);
  const letGo = listHeldUp();
  for (let pressed = 0; pressed < 2; pressed += 1)
    expect(await again()).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringMatching('in a minute') } },
    });
  letGo();
  await expect.poll(async () => (await again()).status).toBe(200);
  expect(api.directDebit.listPayments).toHaveBeenCalledTimes(1);
  await again();
  expect(api.directDebit.listPayments).toHaveBeenCalledTimes(2);
});
