import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeLog } from '#telemetry/log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { countDeadLetters, dropDeadLetter, listDeadLetters } from './queue-repository.ts';
import { type Jobs, openJobs } from './queues.ts';
import { retryDeadLetters } from './retry-dead-letters.ts';
import { watchDeadLetters } from './watch-dead-letters.ts';

const api = ownApp();
let jobs: Jobs;
const log = makeLog('silent', 'test');
afterAll(async () => {
  await jobs.stop();
});

test('before a worker was ever started there are none', async () => {
  expect(await countDeadLetters(api.db)).toBe(0);
  expect(await listDeadLetters(api.db, 10)).toEqual([]);
  expect(await dropDeadLetter(api.db, randomUUID())).toBe(false);
  await watchDeadLetters({ ...api, log });
  jobs = await openJobs(api.database.url, log, api.metrics, api.notifiers);
});

beforeEach(async () => {
  if (!jobs) return;
  await api.rows`delete from pgboss.job`;
  await api.rows`delete from alarms`;
});

/** Stores a job as the queue stores one that has failed for the last time, `minutesAgo` minutes ago. */
async function aDeadLetter(queue: string, key: string | null, minutesAgo = 0): Promise<string> {
  const [row] = await api.rows<{ id: string }[]>`
    insert into pgboss.job (name, data, singleton_key, source_name, source_id, source_retry_count, source_output, created_on)
    values ('dead-letters', ${api.db.json({ supporterId: key })}, ${key}, ${queue}, gen_random_uuid(), 10,
      ${api.db.json({ message: 'the bank refused' })}, now() - ${minutesAgo} * interval '1 minute')
    returning id`;
  return row?.id ?? '';
}
const waiting = async () => [
  ...(await api.rows`
    select name, singleton_key as key, data, retry_limit as retries from pgboss.job where name <> 'dead-letters' order by 2`),
];
const retry = (ids: string[]) => retryDeadLetters(api.db, api.database.url, ids);
const alarms = () => api.rows<{ name: string; about: string; sentence: string }[]>`select * from alarms`;

test('a dead letter that is retried is queued again once, however often that is asked for', async () => {
  const id = await aDeadLetter('submit-donations', 'ann');
  await aDeadLetter('submit-donations', 'ben');
  expect(await retry([id])).toEqual({ retried: 1, failures: [] });
  expect(await retry([id])).toEqual({ retried: 0, failures: [] });
  expect(await waiting()).toEqual([
    { name: 'submit-donations', key: 'ann', data: { supporterId: 'ann' }, retries: 10 },
  ]);
  expect((await listDeadLetters(api.db, 10)).map(({ key }) => key)).toEqual(['ben']);
});

test('one whose work waits already is not queued beside it', async () => {
  const id = await aDeadLetter('handle-payment-news', 'all');
  await jobs.enqueue.handleNotifications('zepto');
  expect(await retry([id])).toEqual({ retried: 1, failures: [] });
  expect(await waiting()).toHaveLength(1);
  expect(await countDeadLetters(api.db)).toBe(0);
});

test('one that cannot be queued does not block the others and stays', async () => {
  const ids = [await aDeadLetter('a-queue-of-an-earlier-version', 'all'), await aDeadLetter('submit-donations', 'all')];
  expect(await retry(ids)).toMatchObject({ retried: 1, failures: [{ id: ids[0] }] });
  expect((await listDeadLetters(api.db, 10)).map(({ id }) => id)).toEqual([ids[0]]);
});

test('a dead letter is dropped once', async () => {
  const id = await aDeadLetter('submit-donations', 'ann');
  expect(await dropDeadLetter(api.db, id)).toBe(true);
  expect(await dropDeadLetter(api.db, id)).toBe(false);
  expect(await countDeadLetters(api.db)).toBe(0);
  expect(await waiting()).toEqual([]);
});

test('the same work that fails each minute is one dead letter, kept since its first failure', async () => {
  const first = await aDeadLetter('timetable', 'all', 3);
  await aDeadLetter('timetable', 'all', 2);
  await aDeadLetter('timetable', null, 1); // as the schedule sends it
  await aDeadLetter('mails', 'all', 1);
  await watchDeadLetters({ ...api, log });
  const left = await listDeadLetters(api.db, 10);
  expect(left.map(({ queue }) => queue)).toEqual(['mails', 'timetable']);
  expect(left[1]?.id).toBe(first);
});

test('a job that is tried again is alarmed once it has failed seven times', async () => {
  const aRetry = (key: string, failures: number) => api.rows`
    insert into pgboss.job (name, singleton_key, state, retry_count, output)
    values ('submit-donations', ${key}, 'retry', ${failures}, ${api.db.json({ message: 'the bank refused' })})`;
  await aRetry('ann', 6);
  await watchDeadLetters({ ...api, log });
  expect(await alarms()).toHaveLength(0);
  await aRetry('ben', 7);
  for (let minute = 0; minute < 2; minute += 1) await watchDeadLetters({ ...api, log });
  const [raised, ...others] = await alarms();
  expect(others).toEqual([]);
  expect(raised?.sentence).toMatch(/^1 job of the queue submit-donations failed 7 times or more.*the bank refused/);
});

test('a dead letter of ten minutes is alarmed, once a queue and day', async () => {
  await aDeadLetter('submit-donations', 'new', 5);
  await watchDeadLetters({ ...api, log });
  expect(await alarms()).toHaveLength(0);
  for (let count = 0; count < 30; count += 1) await aDeadLetter('submit-donations', `supporter-${count}`, 11);
  await aDeadLetter('timetable', 'all', 11);
  for (let minute = 0; minute < 2; minute += 1) await watchDeadLetters({ ...api, log });
  const raised = await alarms();
  expect(raised.map(({ name, about }) => [name, about.split(' ')[0]]).toSorted()).toEqual([
    ['jobs_failed', 'submit-donations'],
    ['jobs_failed', 'timetable'],
  ]);
  expect(raised.find(({ about }) => about.startsWith('submit'))?.sentence).toMatch(/^30 jobs .*the bank refused/);
});
