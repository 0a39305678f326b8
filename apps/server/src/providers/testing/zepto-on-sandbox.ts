import { buildSandbox } from '@sparechange/sandbox/build-sandbox.ts';
import { zeptoDirectDebit } from '../zepto/index.ts';
import { localServer } from './local-server.ts';

const webhookSecret = 'sandbox-zepto-webhook';
export const payerEmail = 'zoe@example.com';

const maxTries = 2;

/** Connects the Zepto adapter over HTTP to a sandbox whose clock moves only when told to. */
export async function zeptoOnSandbox(fetchWith: typeof fetch = fetch) {
  const receiver = await localServer(() => ({ status: 204 }));
  const sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl: 'http://localhost:4000/consented',
    basiqApiKey: 'key',
    zeptoToken: 'token',
    webhooks: { zepto: { url: receiver.url, secret: webhookSecret } },
    now: () => new Date('2026-11-18T01:00:00Z'),
  });
  const address = await sandbox.app.listen({ port: 0, host: '127.0.0.1' });
  const now = () => sandbox.clock.now();
  const callControl = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await sandbox.app.inject({ method, url: `/control${path}`, ...(body ? { payload: body } : {}) });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.json();
  };
  const advance = (ms: number) => sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + ms });
  const directDebit = zeptoDirectDebit({
    apiUrl: `${address}/zepto`,
    token: 'token',
    webhookSecret,
    apiVersion: '20260101',
    now,
    fetch: fetchWith,
    sleep: async () => undefined,
    retry: { maxTries, firstMs: 1, factor: 2, longestMs: 1, givenUpAfterMs: 30_000, maxRetryAfterMs: 5_000 },
  });
  return {
    directDebit,
    now,
    pass: advance,
    control: callControl,
    settle: () => advance(6 * 86_400_000),
    returnNext: async (kind: 'debit' | 'payout', code: number) =>
      void (await callControl('POST', '/returns', {
        email: payerEmail,
        code,
        of: kind === 'debit' ? 'debit' : 'deposit',
      })),
    returnLate: async (ref: string, code: number) => void (await callControl('POST', '/returns', { ref, code })),
    timeOut: async (when: 'before effect' | 'after effect') => {
      const fault = when === 'before effect' ? { timeoutBeforeEffect: true } : { timeoutAfterEffect: true };
      await callControl('POST', '/faults', {
        path: '/zepto/payment',
        method: 'POST',
        holdMs: 5,
        count: maxTries,
        ...fault,
      });
    },
    taken: async () => {
      const rows: { description: string; amount: number }[] = [
        ...(await callControl('GET', '/payments')),
        ...(await callControl('GET', '/payouts')),
      ];
      return rows.map(({ description, amount }) => ({ reference: description, amount }));
    },
    /** Delivers what is due and returns all notifications of the sandbox, in order of arrival. */
    delivered: async () => {
      await sandbox.deliverWebhooks();
      return [...receiver.received];
    },
    latestNotification: async () => {
      await sandbox.deliverWebhooks();
      const latest = receiver.received.findLast(({ rawBody }) => rawBody.includes('"creditor_debit.cleared"'));
      if (!latest) throw new Error('Nothing was delivered.');
      return latest;
    },
    breakDown: async () => void (await callControl('POST', '/faults', { path: '/zepto', status: 503 })),
    close: async () => {
      await sandbox.close();
      await receiver.close();
    },
  };
}
