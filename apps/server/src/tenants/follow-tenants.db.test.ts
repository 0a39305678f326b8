import { retrieveClubs } from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { ownDatabase } from '#testing/database.ts';
import { aTenant } from '#testing/makers.ts';
import { aWholeApp } from '#testing/whole-app.ts';
import { followTenants } from './follow-tenants.ts';
import type { Tenants } from './load-tenants.ts';
import { appendVersions } from './version-repository.ts';

interface Process {
  db: Pool;
  tenants: Tenants;
  api: AppUnderTest;
  end(): Promise<unknown>;
}

const database = ownDatabase();
let processes: Process[];

async function aProcess(): Promise<Process> {
  const db = connect(database.url, { max: 2 });
  const { tenants, close } = await followTenants(db, { onProblem: () => {} });
  const api = await aWholeApp({ tenants });
  const end = async () => {
    await api.close();
    await close();
    await db.end();
  };
  return { db, tenants, api, end };
}

const save = (db: Pool, name: string, more = {}) => {
  const { key, ...content } = aTenant({ name, ...more });
  return appendVersions(db, {
    saved: [{ key, content }],
    origin: 'edit',
    by: 'robin',
    at: new Date(),
    entry: { action: 'tenant saved' },
  });
};

beforeAll(async () => {
  await save(database.pool, 'Before');
  processes = [await aProcess(), await aProcess()];
});
afterAll(() => Promise.all(processes.map(({ end }) => end())));

const nameAt = async ({ api }: Process) =>
  (await api.app.inject('/tenants/default.json')).json<{ name: string }>().name;
const titleAt = async ({ api }: Process) => /<title>(.*?)<\/title>/.exec((await api.app.inject('/')).body)?.[1];
const keyIsGood = async ({ api }: Process, apikey: string) =>
  (await api.send(retrieveClubs, {}, { headers: { apikey } })).status === 200;

test('a change by one process is in the answers of another without a restart', async () => {
  const [one, other] = processes as [Process, Process];
  expect(await nameAt(other)).toBe('Before');
  await save(one.db, 'After', { apikey: 'another key of the brand' });
  for (const each of [one, other]) await expect.poll(() => nameAt(each), { timeout: 10_000 }).toBe('After');
  for (const each of [one, other]) {
    expect(await titleAt(each)).toContain('After');
    expect(await keyIsGood(each, 'another key of the brand')).toBe(true);
    expect(await keyIsGood(each, 'apikey-of-tenant-default')).toBe(false);
  }
});

test('a request that began before a change ends as it began', async () => {
  const [one] = processes as [Process, Process];
  const { promise: changed, resolve: goOn } = Promise.withResolvers<void>();
  const names = one.tenants.hold(async () => {
    const before = one.tenants.byKey('default')?.name;
    await changed;
    return [before, one.tenants.byKey('default')?.name];
  });
  await save(one.db, 'Later');
  await expect.poll(() => nameAt(one), { timeout: 10_000 }).toBe('Later');
  goOn();
  expect(await names).toEqual(['After', 'After']);
});

test('a change whose announcement was lost is found by asking', async () => {
  const { tenants, close } = await followTenants(database.pool, { onProblem: () => {}, pollEveryMs: 20 });
  await database.pool`
    insert into tenant_versions (tenant_key, version, settings, origin, saved_at)
    select tenant_key, version + 1, settings || '{"name": "Unannounced"}', origin, saved_at
    from tenant_versions order by version desc limit 1`;
  await expect.poll(() => tenants.byKey('default')?.name, { timeout: 10_000 }).toBe('Unannounced');
  await close();
});
