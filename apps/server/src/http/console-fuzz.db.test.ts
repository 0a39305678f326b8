import { consoleOperations, ErrorBody } from '@sparechange/contract/console';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, exampleOf } from '#testing/console.ts';
import { anything, change, changed } from '#testing/hostile.ts';

/** Long run: `FUZZ_REQUESTS=20000 npx vitest run --project database apps/server/src/http/console-fuzz`. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 800);

const api = ownApp({ edge: { rateLimitFactor: 0 } });

/** As a query can carry it: texts alone. */
const asQuery = (input: unknown) =>
  Object.fromEntries(
    Object.entries(input ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

test(`none of ${requests} calls of the console makes the server fail`, {
  timeout: 60_000 + requests * 100,
}, async () => {
  const aCall = fc.record({
    operation: fc.constantFrom(...consoleOperations),
    changes: fc.array(change, { maxLength: 3 }),
    extra: fc.dictionary(
      fc.constantFrom('after', 'limit', 'search', 'from', 'to', 'personId', 'supporterId'),
      anything,
    ),
    isSignedIn: fc.boolean(),
  });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(aCall, async ({ operation, changes, extra, isSignedIn }) => {
      const valid = { ...exampleOf(operation), ...(operation.method === 'GET' ? extra : {}) };
      const input = changes.reduce(changed, valid as unknown);
      const person = isSignedIn ? await anOperator(api.db) : {};
      const sent = operation.method === 'GET' ? asQuery(input) : input;
      const { status, body } = await callConsole(api.app, operation, sent ?? null, person);
      statuses.add(status);
      expect(status, JSON.stringify(body).slice(0, 300)).toBeLessThan(500);
      if (status >= 400) ErrorBody.parse(body);
      else expect(operation.output.safeParse(body).error).toBeUndefined();
    }),
    { numRuns: requests },
  );
  for (const status of [200, 400, 401, 403, 404]) expect([status, statuses.has(status)]).toEqual([status, true]);
});

test.each(['0000-01-01', '9999-12-31'])('no operation fails on the day %s', async (day) => {
  for (const operation of consoleOperations) {
    const input = { ...exampleOf(operation), from: day, to: day, until: day, day, date: day };
    const { status, body } = await callConsole(api.app, operation, input, await anOperator(api.db));
    expect(status, `${operation.name} ${JSON.stringify(body).slice(0, 300)}`).toBeLessThan(500);
  }
});
