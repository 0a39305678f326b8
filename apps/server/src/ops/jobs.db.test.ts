import { expect, test } from 'vitest';
import { openJobs } from '#jobs/queues.ts';
import { makeLog } from '#telemetry/log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const unknownId = '00000000-0000-4000-8000-000000000000';

const runOps = opsOn(() => api.database);

async function ops(...words: string[]) {
  const { code, said } = await runOps(...words, '--json');
  return { code, json: said.startsWith('{') ? JSON.parse(said) : undefined, said };
}

async function someDeadLetters(): Promise<string[]> {
  const rows = await api.rows<{ id: string }[]>`
    insert into pgboss.job (name, data, singleton_key, source_name, source_retry_count, source_output)
    select 'dead-letters', jsonb_build_object('supporterId', who), who, 'submit-donations', 10, '{"message": "the bank refused"}'
    from unnest(array['ann', 'ben', 'cat']) as who returning id`;
  return rows.map(({ id }) => id);
}

test('an operator lists, retries and drops failed jobs, each safely twice and with a line in the audit log', async () => {
  expect(await ops('jobs', 'list')).toMatchObject({ code: 0, json: { jobs: [], total: 0 } });
  expect(await ops('jobs', 'retry', unknownId)).toMatchObject({ code: 0, json: { retried: 0 } });
  const jobs = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers);
  await jobs.stop();
  const [ann = '', ben = ''] = await someDeadLetters();
  const listed = await ops('jobs', 'list');
  expect(listed.json).toMatchObject({ total: 3 });
  expect(listed.said).toContain('the bank refused');
  expect((await ops('status')).json).toMatchObject({ failedJobs: 3, queues: { notifications: 0 } });

  for (const dropped of [true, false]) expect((await ops('jobs', 'drop', ann)).json).toEqual({ id: ann, dropped });
  for (const retried of [1, 0])
    expect((await ops('jobs', 'retry', ben)).json).toEqual({ retried, failures: [], left: 0 });
  expect((await ops('jobs', 'retry', '--all')).json).toEqual({ retried: 1, failures: [], left: 0 });
  const waiting =
    await api.rows`select singleton_key as key from pgboss.job where name = 'submit-donations' order by 1`;
  expect([...waiting]).toEqual([{ key: 'ben' }, { key: 'cat' }]);
  expect((await ops('jobs', 'list')).json).toMatchObject({ total: 0 });

  const noted =
    await api.rows`select action, details ->> 'words' as words from audit_log where action like 'ops jobs %'`;
  expect(noted).toHaveLength(9);
  expect([...noted]).toContainEqual({ action: 'ops jobs drop', words: ann });
});

test('a job that is not named by its id is refused, with a sentence that says so', async () => {
  expect(await ops('jobs', 'drop', 'ann')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Give the id of a failed job'),
  });
  expect(await ops('jobs', 'retry')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Give the id of a failed job'),
  });
});
