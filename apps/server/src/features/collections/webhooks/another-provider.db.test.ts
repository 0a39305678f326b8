import { expect, test } from 'vitest';
import type { Notifiers } from '#ports/notifier.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { handleNotifications, listWaitingProviders } from './handle-notifications.ts';

const notifiers: Notifiers = { newpay: { reports: 'payments', queue: 'newpay', retriedForMs: 120_000 } };
const api = ownApp({ notifiers });

test('another provider that notifies has an address, stored notifications and a time of retries of its own', async () => {
  const { app, clock, asked, rows, directDebit } = api;
  const { rawBody: payload, headers } = directDebit.cancelAtBank();
  const statusAt = async (url: string) => (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
  expect([await statusAt('/webhooks/newpay'), await statusAt('/webhooks/zepto')]).toEqual([204, 404]);
  expect(asked).toEqual(['handle notifications of newpay']);
  expect([...(await rows`select provider from notifications`)]).toEqual([{ provider: 'newpay' }]);
  const receivedAt = clock.now().getTime();
  const waitingAfter = (minutes: number) => {
    clock.setTo(new Date(receivedAt + minutes * 60_000).toISOString());
    return listWaitingProviders({ ...api, notifiers });
  };
  expect([await waitingAfter(1), await waitingAfter(2), await waitingAfter(3)]).toEqual([['newpay'], ['newpay'], []]);
  expect(await handleNotifications({ ...api, notifiers }, 'newpay')).toBe(1);
  await expect(handleNotifications({ ...api, notifiers }, 'zepto')).rejects.toThrow('No provider is called zepto.');
});
