import * as contract from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { makeLog } from '#telemetry/log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { timeOf, timesOf } from '#testing/timetable.ts';
import { openJobs } from './queues.ts';
import { listTimetable } from './timetable/list-timetable.ts';

const api = ownApp();
const unknownId = '00000000-0000-4000-8000-000000000000';

async function owner() {
  const person = await anOperator(api.db);
  return <Op extends contract.ConsoleOperation>(operation: Op, input: object = {}) =>
    callConsole(api.app, operation, input, person);
}

test('failed jobs are listed, retried once and dropped with a reason', async () => {
  const call = await owner();
  expect((await call(contract.listFailedJobs)).body).toEqual({ rows: [], next: null, total: 0 });
  expect((await call(contract.retryFailedJobs)).body).toEqual({ retried: 0, failures: [], left: 0 });
  const jobs = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers);
  await jobs.stop();
  const [ann, ben] = await api.rows<{ id: string }[]>`
    insert into pgboss.job (name, data, singleton_key, source_name, source_retry_count, source_output)
    select 'dead-letters', '{}', who, 'submit-donations', 10, '{"message": "the bank refused"}'
    from unnest(array['ann', 'ben']) as who returning id`;
  const { body } = await call(contract.listFailedJobs);
  expect(body).toMatchObject({ total: 2, rows: [{ error: 'the bank refused', attempts: 11 }, {}] });
  expect((await call(contract.dropFailedJob, { jobId: ann?.id, reason: '' })).status).toBe(400);
  expect((await call(contract.dropFailedJob, { jobId: unknownId, reason: 'x' })).status).toBe(404);
  expect((await call(contract.dropFailedJob, { jobId: ann?.id, reason: 'done by hand' })).status).toBe(200);
  for (const retried of [1, 0])
    expect((await call(contract.retryFailedJobs, { jobId: ben?.id })).body).toEqual({ retried, failures: [], left: 0 });
  const { rows } = (await call(contract.listQueues)).body;
  expect(rows).toContainEqual({ id: 'submit-donations', waiting: 1, oldestAt: expect.any(String) });
  const noted =
    await api.rows`select details ->> 'reason' as reason from audit_log where action = 'failed job dropped'`;
  expect([...noted]).toEqual([{ reason: 'done by hand' }]);
});

test('events of a paused endpoint wait in no queue until it is resumed', async () => {
  const call = await owner();
  const at = api.clock.now();
  const [endpoint] = await api.rows<{ id: string }[]>`
    insert into webhook_endpoints (id, url, types, secret_encrypted, created_at, paused_at)
    values (gen_random_uuid(), 'https://program.example', '{club.changed}', '\\x00', ${at}, ${at}) returning id`;
  await api.rows`
    with event as (insert into webhook_events (type, about, data, at) values ('club.changed', 'a club', '{}', ${at}) returning id)
    insert into webhook_deliveries (endpoint_id, event_id, since, due_at) select ${endpoint?.id ?? ''}, id, ${at}, ${at} from event`;
  const deliveries = async () =>
    (await call(contract.listQueues)).body.rows.find(({ id }) => id === 'webhook-deliveries');
  expect(await deliveries()).toMatchObject({ waiting: 0, oldestAt: null });
  await api.rows`update webhook_endpoints set paused_at = null`;
  expect(await deliveries()).toMatchObject({ waiting: 1 });
  await api.rows`update webhook_endpoints set removed_at = ${at}`;
});

test('retrying all takes a thousand failed jobs, and says how many are left', async () => {
  const call = await owner();
  await (await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers)).stop();
  await api.rows`delete from pgboss.job`;
  await api.rows`
    insert into pgboss.job (name, data, singleton_key, source_name)
    select 'dead-letters', '{}', 'job ' || n, 'mails' from generate_series(1, 1002) as n`;
  expect((await call(contract.retryFailedJobs)).body).toEqual({ retried: 1_000, failures: [], left: 2 });
  expect((await call(contract.retryFailedJobs)).body).toEqual({ retried: 2, failures: [], left: 0 });
  await api.rows`delete from pgboss.job`;
});

test('failed jobs are listed page by page, also those that failed at one time', async () => {
  const call = await owner();
  await (await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers)).stop();
  await api.rows`
    insert into pgboss.job (name, data, singleton_key, source_name, created_on)
    select 'dead-letters', '{}', 'job ' || n, 'mails', timestamptz '2026-11-20T01:00:00.000100Z' + n / 3 * interval '1 hour'
    from generate_series(1, 7) as n`;
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { body } = await call(contract.listFailedJobs, { limit: '2', ...(after ? { after } : {}) });
    expect(body).toMatchObject({ total: 7 });
    seen.push(...body.rows.map(({ key }: { key: string }) => key));
    after = body.next as string | null;
  }
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `job ${n}`));
  expect(new Set(seen.slice(0, 2))).toEqual(new Set(['job 6', 'job 7']));
  for (const after of ['x', `2026-11-20T01:00:00.000Z x`])
    expect((await call(contract.listFailedJobs, { after })).status).toBe(400);
  await api.rows`delete from pgboss.job`;
});

test("supporters' parked work is listed over all buckets, page by page, and tried again", async () => {
  const call = await owner();
  const now = api.clock.now();
  for (let count = 0; count < 3; count += 1) {
    const { supporterId } = await api.supporter();
    const since = new Date(now.getTime() - 86_400_000);
    await api.db.of(supporterId)`
      insert into supporter_work (supporter_id, kind, due_at, tries, failing_since, parked_at, last_error)
      values (${supporterId}, 'sync', ${now}, 30, ${since}, ${now}, 'HTTP 503')
      on conflict (supporter_id, kind) do update set due_at = ${now}, next_try_at = null, tries = 30,
        failing_since = excluded.failing_since, parked_at = excluded.parked_at, last_error = excluded.last_error`;
  }
  const first = (await call(contract.listParkedWork, { limit: '2' })).body;
  expect(first.rows[0]).toMatchObject({ kind: 'sync', error: 'HTTP 503' });
  const rest = (await call(contract.listParkedWork, { after: String(first.next) })).body;
  const seen = [...first.rows, ...rest.rows].map(({ supporterId }) => supporterId);
  expect(new Set(seen).size).toBe(3);
  expect(seen).toHaveLength(3);
  const due = async () =>
    (await call(contract.listQueues)).body.rows.find(({ id }) => id === 'supporter-work')?.waiting;
  const before = (await due()) ?? 0;
  expect((await call(contract.retryParkedWork, { supporterId: seen[0], kind: 'sync' })).body).toEqual({ retried: 1 });
  expect(await due()).toBe(before + 1);
  expect((await call(contract.retryParkedWork)).body).toEqual({ retried: 3 });
  expect(await due()).toBe(before + 3);
  expect((await call(contract.listParkedWork, { after: 'nowhere' })).status).toBe(400);

  const drop = { supporterId: seen[1], kind: 'sync', reason: 'the bank account is closed' };
  expect((await call(contract.dropParkedWork, { ...drop, reason: ' ' })).status).toBe(400);
  for (const status of [200, 404]) expect((await call(contract.dropParkedWork, drop)).status).toBe(status);
  expect((await call(contract.listParkedWork)).body.rows.map(({ supporterId }) => supporterId)).toEqual([
    seen[0],
    seen[2],
  ]);
  expect(await due()).toBe(before + 2);
  const [noted] = await api.rows`
    select details ->> 'supporter' as supporter, details ->> 'reason' as reason from audit_log where action = 'parked work dropped'`;
  expect(noted).toEqual({ supporter: seen[1], reason: drop.reason });
});

test('the timetable gives the last result of each task, and its next time', async () => {
  const day = '2026-11-25';
  const now = new Date(timeOf('debit-run', day).getTime() + 30 * 60_000);
  const [audited, doneAt] = [timeOf('audit', day), new Date(timeOf('audit', day).getTime() + 5 * 60_000)];
  const [settled, settlesAt] = timesOf('settle', day);
  await api.rows`truncate timetable_runs`;
  await api.rows`
    insert into timetable_runs (task, due_at, finished_at)
    values ('audit', ${audited}, ${doneAt}), ('settle', ${settled}, null)`;
  const entries = await listTimetable(api.db, now);
  const of = (task: string) => entries.find((entry) => entry.task === task);
  expect(of('audit')).toMatchObject({ state: 'done', lastDueAt: audited, lastDoneAt: doneAt });
  expect(of('settle')).toMatchObject({ state: 'failed', nextDueAt: settlesAt });
  expect(of('sync')).toMatchObject({ state: 'due', lastDueAt: timeOf('sync', day), lastDoneAt: null });
  expect(of('savings-run')).toMatchObject({ state: null, lastDueAt: null, nextDueAt: timeOf('savings-run', day) });
  await api.rows`insert into timetable_runs (task, due_at) values ('audit', ${timeOf('audit', '2026-11-24')})`;
  const later = await listTimetable(api.db, now);
  expect(later.find(({ task }) => task === 'savings-run')).toMatchObject({ state: 'missed' });
  const call = await owner();
  expect((await call(contract.listTimetable)).body.rows).toHaveLength(entries.length);
});

test('notifications that could not be handled are listed page by page, retried and dropped with a reason', async () => {
  const call = await owner();
  await api.rows`
    insert into notifications (provider, id, body, received_at, failure)
    select 'zepto', 'no ' || n, '{}', timestamptz '2026-11-20T01:00:00Z' + n / 2 * interval '1 minute', 'unreadable'
    from generate_series(1, 3) as n`;
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { body } = await call(contract.listFailedNotifications, { limit: '2', ...(after ? { after } : {}) });
    seen.push(...body.rows.map(({ id, error }) => `${id}: ${error}`));
    after = body.next;
  }
  expect(seen).toEqual(['no 1: unreadable', 'no 2: unreadable', 'no 3: unreadable']);
  expect((await call(contract.listFailedNotifications, { after: 'nonsense' })).status).toBe(400);
  expect((await call(contract.retryNotifications, { provider: 'zepto' })).status).toBe(200);
  expect(api.asked).toContain('handle notifications of zepto');
  expect((await call(contract.retryNotifications, { provider: 'constructor' })).status).toBe(400);
  const drop = { provider: 'zepto', id: 'no 2', reason: 'polled since' };
  expect((await call(contract.dropNotification, { ...drop, provider: 'nobody' })).status).toBe(400);
  expect((await call(contract.dropNotification, { ...drop, reason: ' ' })).status).toBe(400);
  for (const status of [200, 404]) expect((await call(contract.dropNotification, drop)).status).toBe(status);
  expect((await call(contract.listFailedNotifications)).body.rows).toHaveLength(2);
  const noted = await api.rows`select details from audit_log where action = 'notification dropped'`;
  expect([...noted]).toMatchObject([{ details: { notification: 'no 2', reason: 'polled since' } }]);
});
