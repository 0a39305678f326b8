import { setTimeout as pause } from 'node:timers/promises';
import { ErrorBody, findClubBySlug, getUser } from '@sparechange/contract';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openJobs } from '#jobs/queues.ts';
import { makeLog } from '#telemetry/log.ts';
import { anAppOnItsOwnServer } from '#testing/app-on-its-own-server.ts';
import { type Answer, anApp } from '#testing/app-under-test.ts';
import { idleHandlers } from '#testing/idle-handlers.ts';

const { url, db, api, ask, until, freeze, stop, startAgain, close } = await anAppOnItsOwnServer();
const lookUp = () => api.call(findClubBySlug, { club: 'nobody' });

afterAll(close);
beforeEach(() => until(200));

const expectLater = ({ status, body, headers }: Answer) => {
  expect([status, ErrorBody.parse(body).error.code]).toEqual([503, 'unavailable']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
};

test('while the database is stopped calls are asked to come later, and are served again without a restart of ours', async () => {
  await stop();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? ask() : lookUp())));
  for (const answer of answers) expectLater(answer);
  expectLater(await ask());
  expect((await api.app.inject('/healthz')).statusCode).toBe(200);
  expect((await api.app.inject('/readyz')).statusCode).toBe(503);
  await startAgain();
  await until(200);
  expect((await lookUp()).status).toBe(404);
  expect((await api.app.inject('/readyz')).statusCode).toBe(200);
});

test('jobs continue when the database is back', async () => {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const jobs = await openJobs(url, makeLog('silent', 'test'), api.metrics, api.notifiers);
  await jobs.work({ ...idleHandlers, handleNotifications: async () => resolve() });
  await stop();
  await startAgain();
  await until(200);
  await jobs.enqueue.handleNotifications('zepto');
  await done;
  await jobs.stop();
});

test('while the database hangs, calls that wait for it are answered too', async () => {
  const before = ask();
  expect((await before).status).toBe(200);
  const goOn = await freeze();
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, ask)); // these wait: nothing has been detected yet
    for (const answer of answers) expectLater(answer);
    expectLater(await ask());
    expect((await api.app.inject('/readyz')).statusCode).toBe(503);
  } finally {
    await goOn();
  }
  await until(200);
});

test('while every connection is busy, callers are sent away instead of queueing', async () => {
  const sleep = (seconds: number) => Array.from({ length: 8 }, () => db`select pg_sleep(${seconds})`.execute());
  await Promise.all(sleep(0.2)); // Earlier calls wait for their turn, so each look competes with them.
  const slow = sleep(2);
  // Calls of before wait for their turn, so each look comes beside those that wait.
  const look = () => Promise.race([ask(), pause(100)]);
  let answer = await look();
  while (answer?.status !== 503) answer = await look();
  expectLater(answer);
  await Promise.all(slow);
  await until(200);
});

test('no call waits for ever, even for something other than the database', async () => {
  const stuck = await anApp({
    verifyIdToken: () => new Promise(() => {}),
    edge: { watchTimes: { everyMs: 10, longestMs: 50 } },
  });
  expectLater(await stuck.call(getUser, { userId: 'robin' }, { uid: 'robin' }));
  await stuck.close();
});

test('a database that is there and slow is not unavailable: who calls waits, and is served', async () => {
  const slow = Array.from({ length: 8 }, () => db`select pg_sleep(0.8)`.execute()); // at least 0.8 s on each of four connections
  const waiting = Array.from({ length: 10 }, ask);
  const begun = performance.now();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(performance.now() - begun).toBeGreaterThan(600); // later than what makes us look
  await Promise.all(slow);
});
