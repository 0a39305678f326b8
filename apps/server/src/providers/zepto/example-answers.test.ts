import { afterEach, expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { describeDirectDebitForm } from '../../ports/direct-debit-form.suite.ts';
import { ApiDescription, compare, describeWithDescriptions, requestOf } from '../testing/api-description.ts';
import { exampleAnswers } from '../testing/example-answers.ts';
import { knownOfZepto } from '../testing/known-differences.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';
import { zeptoDirectDebit } from './index.ts';

const file = 'zepto-openapi.yaml';
const api = 'http://zepto.test';
let description: ApiDescription | undefined;
let faults: string[] = [];

/** For merchants approved by Zepto, so not in its description. */
const isUndescribed = ({ pathname }: URL): boolean => pathname.endsWith('/agreements/kyc');

/** Adds a request's undescribed parts to `faults`. */
function check(input: Parameters<typeof fetch>[0], init: RequestInit | undefined, found = faults): URL {
  const request = requestOf(input, init);
  description ??= new ApiDescription(file);
  if (!isUndescribed(request.url))
    found.push(...description.differencesOfRequest(request, request.url.pathname.replace(/^\/zepto/, '')));
  return request.url;
}

/** The description's own examples in Zepto's place. */
const exampled: typeof fetch = async (input, init) => {
  const url = check(input, init);
  if (isUndescribed(url))
    return Response.json({
      data: { ref: 'A.1', contact_id: 'fb3eaf94-3ff2-4b1e-8a8e-df5d8b2c9a3c', status: 'accepted' },
    });
  return exampleAnswers(file)(init?.method ?? 'GET', url.pathname);
};

/** The sandbox as Zepto, with every request checked, also of those that it refuses. */
const watched: typeof fetch = async (input, init) => {
  check(input, init);
  return fetch(input, init);
};

describeWithDescriptions('Zepto, as its own description has it', () => {
  afterEach(() => {
    const found = faults;
    faults = [];
    expect(compare(found, knownOfZepto).unknown).toEqual([]);
  });

  describeDirectDebitForm('its examples answer', async () => {
    const now = () => new Date('2026-11-18T01:00:00Z');
    const zepto = {
      apiUrl: api,
      token: 'token',
      webhookSecret: 'secret',
      apiVersion: '20260101',
      bankAccountId: '0197a000-0000-7000-8000-000000000001',
    };
    return { directDebit: zeptoDirectDebit({ ...zepto, fetch: exampled, now }), now, close: async () => undefined };
  });

  describeDirectDebit('the sandbox answers', () => zeptoOnSandbox(watched));

  test('a wrong request is found', () => {
    const found: string[] = [];
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
    check(`${api}/payment_requests`, { method: 'POST', headers, body: '{"amount":"435"}' }, found);
    expect(found.join()).toContain('/amount must be');
  });
});
