import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { describeDirectDebitForm } from '../../ports/direct-debit-form.suite.ts';
import { describeWithDescriptions } from '../testing/api-description.ts';
import { type Prism, startPrism } from '../testing/prism.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';
import { zeptoDirectDebit } from './index.ts';

const api = 'http://zepto.test';
let prism: Prism;
let faults: string[] = [];

/** For merchants approved by Zepto, so not in its description. */
const isUndescribed = (url: URL): boolean => url.pathname.endsWith('/agreements/kyc');

/** The mock in Zepto's place. */
const mock: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  if (isUndescribed(url)) {
    return Response.json({
      data: { ref: 'A.1', contact_id: 'fb3eaf94-3ff2-4b1e-8a8e-df5d8b2c9a3c', status: 'accepted' },
    });
  }
  const response = await prism.ask(`${url.pathname}${url.search}`, init, faults);
  // It names a next page for ever; its lists end here.
  const headers = new Headers(response.headers);
  headers.delete('link');
  return new Response(response.status === 204 ? null : await response.text(), { status: response.status, headers });
};

/** The sandbox as Zepto, with the mock checking every request. */
const watched: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  const path = `${url.pathname.replace(/^\/zepto/, '')}${url.search}`;
  if (!isUndescribed(url)) await (await prism.ask(path, init, faults)).arrayBuffer();
  return fetch(input, init);
};

describeWithDescriptions('Zepto, played by a mock of its own description', () => {
  beforeAll(async () => {
    prism = await startPrism('zepto-openapi.yaml');
  }, 60_000);
  afterAll(() => prism?.stop());
  afterEach(() => {
    const found = faults;
    faults = [];
    expect(found).toEqual([]);
  });

  describeDirectDebitForm('the mock answers', async () => {
    const now = () => new Date('2026-11-18T01:00:00Z');
    const zepto = { apiUrl: api, token: 'token', webhookSecret: 'secret', apiVersion: '20260101' };
    return { directDebit: zeptoDirectDebit({ ...zepto, fetch: mock, now }), now, close: async () => undefined };
  });

  describeDirectDebit('the mock looks on while the sandbox answers', () => zeptoOnSandbox(watched));

  test('the mock does notice what is wrong', async () => {
    const found: string[] = [];
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
    await prism.ask('/payment_requests', { method: 'POST', headers, body: '{"amount":"435"}' }, found);
    expect(found.join()).toContain('amount');
    expect(found.join()).toContain('422');
  });
});
