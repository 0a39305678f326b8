import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { buildSandbox } from '../../../../sandbox/src/build-sandbox.ts';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { localServer } from '../testing/local-server.ts';
import { zeptoDirectDebit } from './index.ts';

const webhookSecret = 'sandbox-zepto-webhook';
const payerEmail = 'zoe@example.com';

const maxTries = 2;

/** The adapter talking HTTP to a sandbox whose time stands still unless it is moved. */
async function aDirectDebit() {
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
  const inject = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await sandbox.app.inject({ method, url: `/control${path}`, ...(body ? { payload: body } : {}) });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.json();
  };
  const pass = (ms: number) => sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + ms });
  const directDebit = zeptoDirectDebit({
    apiUrl: `${address}/zepto`,
    token: 'token',
    webhookSecret,
    apiVersion: '20260101',
    now,
    sleep: async () => undefined,
    retry: { maxTries, baseWaitMs: 1, maxWaitMs: 1, maxElapsedMs: 30_000, maxRetryAfterMs: 5_000 },
  });
  return {
    directDebit,
    now,
    pass,
    control: inject,
    settle: () => pass(6 * 86_400_000),
    returnNext: async (kind: 'debit' | 'payout', code: number) =>
      void (await inject('POST', '/returns', { email: payerEmail, code, of: kind === 'debit' ? 'debit' : 'deposit' })),
    returnLate: async (ref: string, code: number) => void (await inject('POST', '/returns', { ref, code })),
    timeOut: async (when: 'before effect' | 'after effect') => {
      const fault = when === 'before effect' ? { timeoutBeforeEffect: true } : { timeoutAfterEffect: true };
      await inject('POST', '/faults', { path: '/zepto/payment', method: 'POST', holdMs: 5, count: maxTries, ...fault });
    },
    taken: async () => {
      const rows: { description: string; amount: number }[] = [
        ...(await inject('GET', '/payments')),
        ...(await inject('GET', '/payouts')),
      ];
      return rows.map(({ description, amount }) => ({ reference: description, amount }));
    },
    latestNotification: async () => {
      await sandbox.deliverWebhooks();
      const latest = receiver.received.findLast(({ rawBody }) => rawBody.includes('"creditor_debit.cleared"'));
      if (!latest) throw new Error('Nothing was delivered.');
      return latest;
    },
    breakDown: async () => void (await inject('POST', '/faults', { path: '/zepto', status: 503 })),
    close: async () => {
      await sandbox.close();
      await receiver.close();
    },
  };
}

describeDirectDebit('Zepto, played by the sandbox', aDirectDebit);

const joan = { name: 'Joan Smith', email: payerEmail, bsb: '062000', accountNumber: '12345678' };
const anOrder = (id: string, mandateRef: string) => ({
  id,
  mandateRef,
  amount: cents(435),
  remitter: 'SPARECHANGE',
  reference: `REF${id.toUpperCase()}`,
  dueOn: isoDate('2026-11-18'),
});

test('an answer lost once is recovered at once: the repeated call names what the first one made', async () => {
  const under = await aDirectDebit();
  const order = anOrder('once', await under.directDebit.createMandate({ id: 'm', ...joan, ceiling: cents(25_000) }));
  const fault = { path: '/zepto/payment_requests', timeoutAfterEffect: true, holdMs: 5, count: 1 };
  await under.control('POST', '/faults', fault);
  expect(await under.directDebit.submitDebits([order])).toMatchObject([{ result: 'accepted' }]);
  expect(await under.taken()).toHaveLength(1);
  await under.close();
});

test('a mandate whose answer was lost is the one that asking again gives', async () => {
  const under = await aDirectDebit();
  const request = { id: 'mandate-1', ...joan, ceiling: cents(25_000) };
  const fault = { path: '/zepto/agreements', method: 'POST', timeoutAfterEffect: true, holdMs: 5, count: 1 };
  await under.control('POST', '/faults', fault);
  await expect(under.directDebit.createMandate(request)).rejects.toThrow(/not reached/);
  const mandateRef = await under.directDebit.createMandate(request);
  expect(await under.directDebit.createMandate(request)).toBe(mandateRef);
  await under.close();
});

test('an order is found months later, when its key is long forgotten', async () => {
  const under = await aDirectDebit();
  const order = anOrder('old', await under.directDebit.createMandate({ id: 'm', ...joan, ceiling: cents(25_000) }));
  const [answer] = await under.directDebit.submitDebits([order]);
  await under.pass(200 * 86_400_000);
  expect(answer).toMatchObject({ providerRef: await under.directDebit.findDebit(order) });
  await under.close();
});

test('an order that was due yesterday is due now', async () => {
  const under = await aDirectDebit();
  const payout = { id: 'p', ...joan, amount: cents(100), reference: 'SAV1', dueOn: isoDate('2026-11-16') };
  expect(await under.directDebit.submitPayouts([payout])).toMatchObject([{ result: 'accepted' }]);
  await under.close();
});

test('a savings account number too long for the banks is refused with a reason that does not repeat it', async () => {
  const under = await aDirectDebit();
  const payout = { id: 'p', ...joan, accountNumber: '123456789012', amount: cents(100), reference: 'SAV1' };
  const [answer] = await under.directDebit.submitPayouts([{ ...payout, dueOn: isoDate('2026-11-18') }]);
  expect(answer).toMatchObject({ result: 'refused', reason: expect.stringContaining('422') });
  expect(JSON.stringify(answer)).not.toContain('123456789012');
  await under.close();
});
