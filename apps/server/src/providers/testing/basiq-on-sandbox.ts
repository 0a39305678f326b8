import { dollars } from '@sparechange/domain';
import { buildSandbox } from '@sparechange/sandbox/build-sandbox.ts';
import type { BankLinkUnderTest, Delivered } from '../../ports/bank-link.suite.ts';
import { type BasiqOptions, basiqBankLink } from '../basiq/index.ts';
import { localServer } from './local-server.ts';

const webhookSecret = 'whsec_c2FuZGJveC1iYXNpcS13ZWJob29r';
const apiKey = 'c2FuZGJveDprZXk=';

/** The adapter talking HTTP to a sandbox with stopped time. */
export async function basiqOnSandbox(
  crns: string[] = ['12345678', '23456789'],
  fetchWith: typeof fetch = fetch,
  answerWebhook: () => number = () => 204,
) {
  const receiver = await localServer(() => ({ status: answerWebhook() }));
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
  const options = {
    apiUrl: `${address}/basiq`,
    consentUrl: `${address}/home`,
    apiKey,
    webhookSecret,
    now,
    sleep: async () => undefined,
    refreshAfterMs: 0,
    fetch: fetchWith,
  };
  const bankLink = basiqBankLink(options);
  const addPurchase = (userId: string, purchase: object) => control('/purchases', { userId, ...purchase });
  return {
    bankLink,
    /** Another adapter to the same sandbox. */
    bankLinkWith: (overrides: Partial<BasiqOptions>) => basiqBankLink({ ...options, ...overrides }),
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
      { amount, description, day, status = 'posted' }: Parameters<BankLinkUnderTest['addPurchase']>[1],
    ) => void (await addPurchase(userId, { amount: dollars(amount), description, date: day, status })),
    endConsent: async (userId: string, as: 'revoked' | 'expired') =>
      void (await control('/consents', { userId, action: as === 'revoked' ? 'revoke' : 'expire' })),
    fallSilent: async (userId: string) => {
      await control('/connections/invalid', { userId });
      await sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + 3_600_000 });
    },
    /** Every notification of the sandbox, in the order of arrival. */
    delivered: async (): Promise<Delivered[]> => {
      await sandbox.deliverWebhooks();
      return [...receiver.received];
    },
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
