import { dollars, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { buildSandbox } from '../../../../sandbox/src/build-sandbox.ts';
import { type Delivered, describeBankLink } from '../../ports/bank-link.suite.ts';
import { localServer } from '../testing/local-server.ts';
import { basiqBankLink } from './index.ts';

const webhookSecret = 'whsec_c2FuZGJveC1iYXNpcS13ZWJob29r';
const apiKey = 'c2FuZGJveDprZXk=';

/** The adapter talking HTTP to a sandbox whose time stands still unless it is moved. */
async function aBankLink(crns: string[] = ['12345678', '23456789']) {
  const receiver = await localServer(() => ({ status: 204 }));
  const sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl: 'http://localhost:4000/consented',
    basiqApiKey: apiKey,
    zeptoToken: 'token',
    webhooks: { basiq: { url: receiver.url, secret: webhookSecret } },
    now: () => new Date('2026-11-18T01:00:00Z'),
  });
  const address = await sandbox.app.listen({ port: 0, host: '127.0.0.1' });
  const now = () => sandbox.clock.now();
  const control = async (path: string, body: object) => {
    const answer = await sandbox.app.inject({ method: 'POST', url: `/control${path}`, payload: body });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.json();
  };
  const bankLink = basiqBankLink({
    apiUrl: `${address}/basiq`,
    consentUrl: `${address}/home`,
    apiKey,
    webhookSecret,
    now,
    sleep: async () => undefined,
  });
  const addPurchase = (userId: string, purchase: object) => control('/purchases', { userId, ...purchase });
  return {
    bankLink,
    now,
    control,
    pass: (ms: number) => sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + ms }),
    connect: async (userId: string): Promise<string> => {
      const { jobId } = await control('/connections', { userId, crn: crns.shift() });
      await sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + 3_000 });
      return jobId;
    },
    addPurchase: async (
      userId: string,
      { amount, description, day, status = 'posted' }: Parameters<Under['addPurchase']>[1],
    ) => void (await addPurchase(userId, { amount: dollars(amount), description, date: day, status })),
    endConsent: async (userId: string, as: 'revoked' | 'expired') =>
      void (await control('/consents', { userId, action: as === 'revoked' ? 'revoke' : 'expire' })),
    notificationOf: async (userId: string): Promise<Delivered> => {
      await sandbox.deliverWebhooks();
      await addPurchase(userId, { amount: '1.00' });
      await sandbox.deliverWebhooks();
      const latest = receiver.received.findLast(({ rawBody }) => rawBody.includes('transactions.updated'));
      if (!latest) throw new Error('Nothing was delivered.');
      return latest;
    },
    breakDown: async () => void (await control('/faults', { path: '/basiq', status: 503 })),
    close: async () => {
      await sandbox.close();
      await receiver.close();
    },
  };
}

type Under = Awaited<ReturnType<Parameters<typeof describeBankLink>[1]>>;

describeBankLink('Basiq, played by the sandbox', () => aBankLink());

const joan = { email: 'joan@example.com', mobile: '0412345678', firstName: 'Joan', lastName: 'Smith' };

test('two years of transactions come over many pages, complete', async () => {
  const under = await aBankLink();
  const id = await under.bankLink.createCustomer(joan);
  await under.connect(id);
  const all = await under.bankLink.transactionsSince(id, isoDate('2024-11-18'));
  expect(all.length).toBeGreaterThan(1_000);
  const recent = await under.bankLink.transactionsSince(id, isoDate('2026-11-01'));
  expect(all.filter(({ day }) => day >= '2026-11-01')).toEqual(recent);
  await under.close();
});

test('a token that has expired is replaced without anybody noticing', async () => {
  const under = await aBankLink();
  // The adapter's own clock does not see the hour go by.
  const id = await under.bankLink.createCustomer(joan);
  await under.pass(3_600_000);
  expect(await under.bankLink.listConsents(id)).toEqual([]);
  await under.close();
});

test.each([
  ['90000001', 'failed'],
  ['90000002', 'pending'],
  ['90000003', 'done'],
])('the customer %s has a job that is %s', async (crn, state) => {
  const under = await aBankLink([crn]);
  const id = await under.bankLink.createCustomer(joan);
  const jobId = await under.connect(id);
  expect(await under.bankLink.jobState(id, jobId)).toBe(state);
  await under.close();
});

test('a passing failure is got over, and a customer is not made twice by it', async () => {
  const under = await aBankLink();
  const id = await under.bankLink.createCustomer(joan);
  await under.connect(id);
  await under.control('/faults', { path: '/basiq/users', status: 429, count: 2 });
  expect((await under.bankLink.listAccounts(id)).length).toBeGreaterThan(0);
  await under.control('/faults', { path: '/basiq/users', status: 503, count: 1 });
  await expect(under.bankLink.createCustomer(joan)).rejects.toThrow(/503/);
  await under.close();
});
