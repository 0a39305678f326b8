import { ErrorBody, operations } from '@sparechange/contract';
import { exampleIds, examples, refusalsOf } from '@sparechange/contract/openapi';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { supporterIdOf } from '#caller.ts';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { changed } from '#testing/hostile.ts';
import { aRequest, type GeneratedRequest, identityInput } from '#testing/hostile-requests.ts';
import { aWholeApp, identityKey, signUp } from '#testing/whole-app.ts';

/** Long run: `FUZZ_REQUESTS=20000 npx vitest run --project database apps/server/src/http/fuzz`. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500);

let api: AppUnderTest;
/** Ids and tokens in place of the examples': one who gives, one who registered, one who did not. */
let callers: { token: string; ids: [from: string, to: string][] }[];

beforeAll(async () => {
  api = await aWholeApp({ edge: { rateLimitFactor: 1000, watchTimes: { everyMs: 300, lateMs: 20_000 } } });
  const [user, newcomer] = [await signUp(api, 'supporter@example.com'), await signUp(api, 'newcomer@example.com')];
  const supporter = await api.supporter({ uid: user.uid, savings: true });
  callers = [
    {
      token: user.idToken,
      ids: [
        [exampleIds.cdrid, supporter.supporterId],
        [exampleIds.userId, supporter.uid],
        [exampleIds.account, supporter.account.id],
        [exampleIds.providerAccount, supporter.account.providerAccountId],
        [exampleIds.customer, supporter.bankCustomerId],
        [exampleIds.club, supporter.clubId],
        [exampleIds.jobId, supporter.jobId],
      ],
    },
    {
      token: newcomer.idToken,
      ids: [
        [exampleIds.userId, newcomer.uid],
        [exampleIds.cdrid, supporterIdOf(newcomer.uid)],
      ],
    },
    { token: 'none', ids: [] },
  ];
});
afterAll(() => api.close());

function toSend({ target, caller, changes, raw, method, headers }: GeneratedRequest) {
  const { token, ids } = callers[caller] ?? { token: '', ids: [] };
  const operation = 'index' in target ? operations[target.index] : undefined;
  const example = operation ? examples[operation.name]?.input : identityInput;
  const mine = ids.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(example));
  const input = changes.reduce(changed, JSON.parse(mine) as unknown);
  const path = operation
    ? `/api${operation.path}`
    : 'identity' in target
      ? `${target.identity}?key=${identityKey}`
      : 'path' in target
        ? target.path
        : '/';
  const verb = method ?? operation?.method ?? ('identity' in target ? 'POST' : 'GET');
  const hasBody = !['GET', 'HEAD'].includes(verb);
  const query =
    operation?.method === 'GET' && typeof input === 'object'
      ? `?${new URLSearchParams(Object.entries(input ?? {}).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`
      : '';
  return {
    method: verb as 'GET',
    url: `${path}${query}`,
    headers: {
      apikey: 'apikey-of-tenant-default',
      tenant: 'default',
      authorization: `Bearer ${token}`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { payload: raw ?? JSON.stringify(input) ?? '' } : {}),
  };
}

/** Returns the operation that a request calls with its method. */
const operationOf = ({ target, method }: GeneratedRequest) => {
  const operation = 'index' in target ? operations[target.index] : undefined;
  return method === undefined || method === operation?.method ? operation : undefined;
};

test(`none of ${requests} requests makes the server fail, or answer what the contract does not say`, {
  timeout: 60_000 + requests * 50,
}, async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(aRequest, async (generated) => {
      const sent = toSend(generated);
      const answer = await api.app.inject(sent);
      const operation = operationOf(generated);
      if (operation) {
        const documented = Object.keys({ ...(operation.answers ?? { 200: 'done' }), ...refusalsOf(operation) });
        expect(documented, `${operation.name}: ${answer.body.slice(0, 300)}`).toContain(String(answer.statusCode));
      }
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(500);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      });
      if (answer.statusCode < 400 || sent.method === ('HEAD' as string)) return;
      if (String(answer.headers['content-type']).startsWith('text/html')) {
        expect(answer.statusCode).toBe(404); // the page that says that there is none
        return;
      }
      if (/^\/(identitytoolkit|securetoken)/.test(sent.url)) {
        expect(answer.json()).toMatchObject({ error: { code: answer.statusCode } });
      } else ErrorBody.parse(answer.json());
    }),
    { numRuns: requests, endOnFailure: requests > 5_000 },
  );
  if (requests > 5_000) console.error(Object.fromEntries([...statuses].toSorted()));
  // It would prove nothing if every request was refused at the door.
  for (const status of [200, 400, 401, 403, 404, 405, 415])
    expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true]);
});

test('no call made several times in the same moment makes the server fail', async () => {
  const asIs: Omit<GeneratedRequest, 'target'> = {
    caller: 0,
    changes: [],
    raw: undefined,
    method: undefined,
    headers: {},
  };
  for (const [index, { name }] of operations.entries()) {
    const sent = toSend({ ...asIs, target: { index } });
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.app.inject(sent)));
    const failed = answers.map(({ statusCode }) => statusCode).filter((status) => status >= 500);
    expect([name, failed]).toEqual([name, []]);
  }
});
