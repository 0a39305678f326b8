import { afterEach, expect, test, vi } from 'vitest';
import { NoFreeTurn, ProviderUnavailable } from '#ports/errors.ts';
import { type LocalServer, localServer, type Reply } from '../testing/local-server.ts';
import { makeSend, type OutgoingRequest, type SendOptions } from './send.ts';

let server: LocalServer;
afterEach(() => server.close());

const waits: number[] = [];
async function aSend(replies: Reply[], options: Partial<SendOptions> = {}) {
  waits.length = 0;
  server = await localServer((_request, count) => replies[count - 1] ?? replies.at(-1) ?? {});
  const sleep = async (ms: number) => void waits.push(ms);
  const send = makeSend({ provider: 'Bank', sleep, random: () => 1, timeoutMs: 5_000, ...options });
  return (request: Partial<OutgoingRequest> = {}) =>
    send({ purpose: 'ask', method: 'GET', url: new URL(server.url), headers: {}, isRepeatable: true, ...request });
}

test('a storm of 429 is waited out, longer each time', async () => {
  const send = await aSend([{ status: 429 }, { status: 429 }, { status: 503 }, { body: { ok: true } }]);
  expect((await send()).body).toEqual({ ok: true });
  expect(waits).toEqual([300, 600, 1_200]);
});

test('a storm that does not end is answered with its last answer', async () => {
  const send = await aSend([{ status: 429 }]);
  expect((await send()).status).toBe(429);
  expect(server.received).toHaveLength(4);
});

test('Retry-After is honoured, and one that is too long is not waited for', async () => {
  const send = await aSend([{ status: 503, headers: { 'retry-after': '2' } }, {}]);
  await send();
  expect(waits).toEqual([2_300]);
  await server.close();
  const again = await aSend([{ status: 503, headers: { 'retry-after': '3600' } }]);
  expect((await again()).status).toBe(503);
  expect(waits).toEqual([]);
});

test('a call that may not be repeated is made once', async () => {
  for (const reply of [{ status: 503 }, { status: 429 }] as const) {
    const send = await aSend([reply]);
    expect((await send({ isRepeatable: false })).status).toBe(reply.status);
    expect(server.received).toHaveLength(1);
    await server.close();
  }
  const send = await aSend([{ cutAfterMs: 1 }]);
  await expect(send({ isRepeatable: false, method: 'POST', body: '{}' })).rejects.toThrow(ProviderUnavailable);
  expect(server.received).toHaveLength(1);
});

test('a line that is cut and an answer that never comes are tried again', async () => {
  const send = await aSend([{ cutAfterMs: 1 }, 'never', { body: 'ok' }], { timeoutMs: 400 });
  expect((await send()).status).toBe(200);
  expect(server.received).toHaveLength(3);
});

test('an answer that never comes is unavailable within the time-out, and says what was asked', async () => {
  const send = await aSend(['never'], { timeoutMs: 30 });
  const retry = { maxTries: 1, firstMs: 1, factor: 2, longestMs: 1, givenUpAfterMs: 1_000, maxRetryAfterMs: 1 };
  const once = makeSend({ provider: 'Bank', timeoutMs: 30, retry });
  await expect(send({ isRepeatable: false })).rejects.toThrow('Bank was not reached to ask: no answer within 30 ms');
  const request = { purpose: 'ask', method: 'GET', headers: {}, isRepeatable: true } as const;
  await expect(once({ ...request, url: new URL(server.url) })).rejects.toThrow(ProviderUnavailable);
});

/** Gives one turn to call, and then none in time. */
const oneTurn = () => {
  let turns = 0;
  return async () => {
    turns += 1;
    if (turns > 1) throw new NoFreeTurn('No call to Bank was free in time.');
  };
};

test('a provider that fails is reported, not our own limit, where no turn is free to try again', async () => {
  const send = await aSend([{ status: 503 }], { waitForTurn: oneTurn() });
  expect((await send()).status).toBe(503);
  await server.close();
  const again = await aSend([{ cutAfterMs: 1 }], { waitForTurn: oneTurn() });
  await expect(again()).rejects.toThrow(/^Bank was not reached to ask/);
  expect(server.received).toHaveLength(1);
});

test('a call for which no turn is free is not made', async () => {
  const taken = oneTurn();
  await taken();
  const send = await aSend([{}], { waitForTurn: taken });
  await expect(send()).rejects.toThrow(NoFreeTurn);
  expect(server.received).toHaveLength(0);
});

test('no try begins late because its turn came late', async () => {
  const retry = { maxTries: 4, firstMs: 1, factor: 2, longestMs: 1, givenUpAfterMs: 400, maxRetryAfterMs: 1 };
  let turns = 0;
  const waitForTurn = async () => {
    turns += 1;
    if (turns > 1) vi.advanceTimersByTime(500);
  };
  const send = await aSend([{ status: 503 }], { retry, waitForTurn });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    expect((await send()).status).toBe(503);
  } finally {
    vi.useRealTimers();
  }
  expect(server.received).toHaveLength(1);
});

test('a redirect is not followed: the token stays here', async () => {
  const send = await aSend([{ status: 302, headers: { location: '/elsewhere' } }]);
  expect((await send()).status).toBe(302);
  expect(server.received).toHaveLength(1);
});

test('an answer that is not JSON has no body', async () => {
  const send = await aSend([{ body: '<html>oops' }]);
  expect(await send()).toMatchObject({ status: 200, body: undefined });
});

test('the operator reads once why calls are tried again, however many there are, and no secret', async () => {
  const lines: string[] = [];
  const log = { warn: (details: object, message: string) => void lines.push(JSON.stringify({ ...details, message })) };
  const send = await aSend([{ status: 503 }], { log });
  const request = {
    headers: { authorization: 'Bearer secret' },
    url: new URL(`${server.url}/?email=joan@example.com`),
  };
  await Promise.all([send(request), send(request)]);
  await send({ ...request, purpose: 'ask again' });
  expect(lines.map((line) => JSON.parse(line).purpose)).toEqual(['ask', 'ask again']);
  expect(lines[0]).toContain('"reason":503');
  expect(lines.join()).not.toMatch(/secret|joan/);
});
