import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits, type Limits } from './limits.ts';
import { anAddress, aService, goodPassword, type TestService } from './testing/service.ts';
import { createUser } from './users.ts';

const rounds = 60;

let service: TestService;
beforeAll(async () => {
  const wide = { burst: 10_000, everySeconds: 1 };
  const names = Object.keys(defaultLimits);
  const limits: Limits = { ...defaultLimits, ...Object.fromEntries(names.map((name) => [name, wide])) };
  service = await aService({ limits });
});
afterAll(() => service.close());

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Median milliseconds of calls about a known and an unknown address, taken in turns so that both see the same machine. */
async function compare(call: (email: string) => Promise<unknown>): Promise<{ known: number; unknown: number }> {
  const email = anAddress();
  await createUser(service.database.pool, email, goodPassword);
  const times = { known: [] as number[], unknown: [] as number[] };
  const measure = async (into: number[], about: string) => {
    const start = performance.now();
    await call(about);
    into.push(performance.now() - start);
  };
  for (let i = 0; i < rounds; i++) {
    await measure(times.known, email);
    await measure(times.unknown, anAddress('nobody'));
  }
  return { known: median(times.known), unknown: median(times.unknown) };
}

test('a wrong password and an unknown address take the same time', { retry: 2 }, async () => {
  const { known, unknown } = await compare((email) =>
    service.call('/v1/accounts:signInWithPassword', { email, password: 'wrong-one' }),
  );
  expect(unknown).toBeGreaterThan(3); // a password was compared
  expect(Math.abs(known - unknown) / known).toBeLessThan(0.2);
});

test('a reset is answered in the same time and words for a known and an unknown address', { retry: 2 }, async () => {
  const answers = new Set<string>();
  const { known, unknown } = await compare(async (email) => {
    const answer = await service.call('/v1/accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });
    answers.add(JSON.stringify([answer.status, { ...answer.json, email: answer.json.email === email }]));
  });
  expect(answers.size).toBe(1);
  expect(Math.abs(known - unknown)).toBeLessThan(1.5); // milliseconds
});
