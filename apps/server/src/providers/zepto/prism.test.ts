import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { cents, isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeWithDescriptions,
  descriptionFile,
  type Exchange,
  recordingFetch,
} from '../testing/api-description.ts';
import { zeptoDirectDebit } from './index.ts';

const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
const violations: string[] = [];
const exchanges: Exchange[] = [];
let mock: ChildProcess;
let address: string;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function startPrism(): Promise<void> {
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const args = [prism, 'mock', descriptionFile('zepto-openapi.yaml'), '--port', String(port), '--host', '127.0.0.1'];
  mock = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('Prism is listening')) resolve();
    };
    mock.stdout?.on('data', listen);
    mock.stderr?.on('data', listen);
    mock.once('exit', () => reject(new Error(`Prism ended: ${said}`)));
  });
}

const recorded = recordingFetch(exchanges);
const watched: typeof fetch = async (input, init) => {
  const response = await recorded(input, init);
  const found = response.headers.get('sl-violations');
  if (found) violations.push(`${init?.method} ${new URL(String(input)).pathname}: ${found}`);
  // The mock names a next page for ever; its lists end here.
  const headers = new Headers(response.headers);
  headers.delete('link');
  const isEmpty = response.status === 204;
  return new Response(isEmpty ? null : await response.text(), { status: response.status, headers });
};

/** The adapter against a mock that checks every request by Zepto's own description and remembers nothing. */
const adapter = () =>
  zeptoDirectDebit({
    apiUrl: address,
    token: 'token',
    webhookSecret: 'secret',
    apiVersion: '20260101',
    fetch: watched,
    now: () => new Date('2026-11-18T01:00:00Z'),
    retry: { maxTries: 1, baseWaitMs: 1, maxWaitMs: 1, maxElapsedMs: 1_000, maxRetryAfterMs: 1 },
  });

const order = { id: '0197a000-0000-7000-8000-000000000001', amount: cents(435), remitter: 'SPARECHANGE' };
const dueOn = isoDate('2026-11-18');
const debit = { ...order, mandateRef: 'fb3eaf94-3ff2-4b1e-8a8e-df5d8b2c9a3c', reference: 'RU0123456789ABCDEF', dueOn };
const joan = { name: 'Zoë Nguyễn', email: 'zoe@example.com', bsb: '062000', accountNumber: '12345678' };

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _item of items);
}

describeWithDescriptions('Zepto, played by a mock of its own description', () => {
  beforeAll(startPrism, 60_000);
  afterAll(() => void mock?.kill());

  test.each([
    ['a debit', () => adapter().submitDebits([debit])],
    ['a payout', () => adapter().submitPayouts([{ ...order, ...joan, reference: 'SV0123456789ABCDEF', dueOn }])],
    [
      'a payout without a name for the statement',
      () => adapter().submitPayouts([{ id: order.id, amount: order.amount, ...joan, reference: 'SV1', dueOn }]),
    ],
    ['outcomes since a moment', () => readAll(adapter().outcomesSince(new Date('2026-11-01T00:00:00Z')))],
    ['outcomes of all times', () => readAll(adapter().outcomesSince(new Date(0)))],
    ['payments since a moment', () => readAll(adapter().listPayments(new Date('2026-11-01T00:00:00Z')))],
    ['a debit that is looked for', () => adapter().findDebit(debit)],
    ['an authority that is cancelled', () => adapter().cancelMandate(debit.mandateRef)],
  ])(
    '%s is asked for as described: no violation, no refusal',
    async (_name, act) => {
      exchanges.length = 0;
      violations.length = 0;
      const result = await act();
      expect(violations).toEqual([]);
      expect(
        exchanges.filter(({ status }) => status >= 400).map(({ url, answer }) => `${url.pathname}: ${answer}`),
      ).toEqual([]);
      expect(exchanges.length).toBeGreaterThan(0);
      if (Array.isArray(result)) expect(result).toMatchObject([{ result: 'accepted' }]);
    },
    20_000,
  );

  test('the mock does notice what is wrong', async () => {
    violations.length = 0;
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
    await watched(`${address}/payment_requests`, { method: 'POST', headers, body: '{"amount":"435"}' });
    expect(violations.join()).toContain('amount');
  });
});
