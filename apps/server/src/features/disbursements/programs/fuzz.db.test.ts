import { ErrorBody, operations } from '@sparechange/contract';
import { exampleIds, examples, programExamples, refusalsOf } from '@sparechange/contract/openapi';
import { KeyScope, programOperations } from '@sparechange/contract/programs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { change, changed, headerText } from '#testing/hostile.ts';
import { aClub } from '#testing/makers.ts';
import { aWholeApp, signUp } from '#testing/whole-app.ts';
import { createKey } from './keys.ts';

const robin = { kind: 'operating_system', id: 'robin' } as const;
const requests = Number(process.env.FUZZ_REQUESTS ?? 400);

let api: AppUnderTest;
let key: string;
let idToken: string;
beforeAll(async () => {
  api = await aWholeApp({ edge: { rateLimitFactor: 1000 } });
  await aClub(api.db, { id: exampleIds.club, slug: 'rovers' });
  ({ text: key } = await createKey(api, { name: 'A program', scopes: KeyScope.options, days: 30 }, robin));
  ({ idToken } = await signUp(api, 'supporter@example.com'));
});
afterAll(() => api.close());

const all = Object.values(programOperations);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(JSON.stringify(value)));

const aCall = fc.record({
  operation: fc.constantFrom(...all),
  changes: fc.array(change, { maxLength: 3 }),
  id: fc.option(fc.oneof(fc.string(), fc.uuid()), { freq: 4 }),
  tag: headerText,
});

test('no request makes the server fail or violate its description', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(aCall, async ({ operation, changes, id, tag }) => {
      const example = programExamples[operation.name]?.input ?? {};
      const input = changes.reduce(changed, structuredClone(example) as unknown);
      const isWrite = operation.method === 'PATCH';
      const query = new URLSearchParams(
        Object.entries(typeof input === 'object' && input !== null ? input : {}).map(([name, value]) => [
          name,
          textOf(value),
        ]),
      );
      const path = operation.path.replace('{id}', encodeURIComponent((id ?? textOf(example.id)).toWellFormed()));
      const answer = await api.app.inject({
        method: operation.method,
        url: `/api${path}${isWrite ? '' : `?${query}`}`,
        headers: {
          authorization: `Bearer ${key}`,
          'if-none-match': tag,
          ...(isWrite ? { 'content-type': 'application/json' } : {}),
        },
        ...(isWrite ? { payload: JSON.stringify(input) ?? '' } : {}),
      });
      statuses.add(answer.statusCode);
      const documented = ['200', '304', '404', '405', ...Object.keys(refusalsOf(operation))];
      expect(documented, `${operation.name}: ${answer.body.slice(0, 300)}`).toContain(String(answer.statusCode));
      if (answer.statusCode >= 400) ErrorBody.parse(answer.json());
    }),
    { numRuns: requests },
  );
  for (const status of [200, 400]) expect([status, statuses.has(status)]).toEqual([status, true]);
});

test('no operation of supporters accepts a key as an ID token', async () => {
  for (const operation of operations.filter(({ access }) => access === 'supporter')) {
    const answer = await api.send(operation, examples[operation.name]?.input, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([operation.name, answer.status, answer.body.error.code]).toEqual([operation.name, 401, 'signed-out']);
  }
});

test('no operation of programs accepts an ID token as a key', async () => {
  for (const { name, method, path } of all) {
    const answer = await api.app.inject({
      method,
      url: `/api${path.replace('{id}', exampleIds.club)}`,
      headers: { authorization: `Bearer ${idToken}`, apikey: 'apikey-of-tenant-default', tenant: 'default' },
    });
    expect([name, answer.statusCode, answer.json().error.code]).toEqual([name, 401, 'unknown-key']);
  }
});
