import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { followTenants } from './follow-tenants.ts';
import { parseSettings } from './load-tenants.ts';
import { restoreVersion, saveSettings } from './save-tenant.ts';
import { takeUpFiles } from './take-up-files.ts';
import { countVersions, listVersions, lockVersions } from './version-repository.ts';

const shipped = fileURLToPath(new URL('../../../../tenants', import.meta.url));
const database = ownDatabase();
const clock = aClock();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sparechange-tenants-'));
  await cp(shipped, folder, { recursive: true });
  await importClubs(database.pool, testEncryption, await readFile(join(folder, 'clubs.csv'), 'utf8'), clock.now());
  await takeUpFiles({ db: database.pool, clock, folder });
});
afterAll(() => rm(folder, { recursive: true }));

const tryLogo = async () => [] as string[];
const actor = { kind: 'operating_system', id: 'robin' } as const;
const deps = () => ({ db: database.pool, clock, folder, tryLogo, actor });
const newest = async (key: string) => (await listVersions(database.pool, key))[0];
const read = async (key: string) => JSON.parse(await readFile(join(folder, `${key}.json`), 'utf8'));
const save = (key: string, content: unknown) => saveSettings(deps(), parseSettings({ key, content }));
const entries = () => database.pool<{ action: string; details: object }[]>`
  select action, details from audit_log order by id desc`;

test('files seed the database once, with one line in the audit log', async () => {
  const count = await countVersions(database.pool);
  expect(count).toBe(21);
  expect(await takeUpFiles({ db: database.pool, clock, folder })).toEqual([]);
  expect(await countVersions(database.pool)).toBe(count);
  expect(await entries()).toMatchObject([{ action: 'tenant files taken' }]);
});

test('a save is a version with its person in the audit log; saved again it is none', async () => {
  const content = { ...(await read('aca')), name: 'Aca of Australia' };
  expect(await save('aca', content)).toEqual({ key: 'aca', version: 2, changed: ['name'] });
  expect(await save('aca', content)).toEqual({ key: 'aca', version: 2, changed: [] });
  expect((await entries())[0]).toEqual({
    action: 'tenant saved',
    details: { tenant: 'aca', version: 2, changed: 'name', by: 'robin' },
  });
  expect(await newest('aca')).toMatchObject({ version: 2, origin: 'edit', savedBy: 'robin' });
});

test('a save with a logo that cannot be drawn in time is refused, and nobody is locked out for so long', async () => {
  const before = await countVersions(database.pool);
  let canLock = false;
  const slow = async () => {
    await database.pool.begin(lockVersions);
    canLock = true;
    return ['it takes too much time or memory to draw'];
  };
  const content = { ...(await read('aca')), name: 'Slow Aca' };
  await expect(saveSettings({ ...deps(), tryLogo: slow }, parseSettings({ key: 'aca', content }))).rejects.toThrow(
    /aca: .*\.svg: it takes too much time or memory to draw/,
  );
  expect([canLock, await countVersions(database.pool)]).toEqual([true, before]);
});

test('a save that check would refuse is refused with its sentences, and changes nothing', async () => {
  const before = await countVersions(database.pool);
  const aca = await read('aca');
  const club = '00000000-0000-4000-8000-000000000000';
  const refused = (changes: object) => save('aca', { ...aca, ...changes });
  await expect(refused({ clubID: club })).rejects.toThrow(`aca: there is no club ${club}`);
  await expect(refused({ theme: { ...aca.theme, background: '#787878' } })).rejects.toThrow('its contrast is 4.42');
  await expect(refused({ logoURL: '/tenants/logos/gone.svg' })).rejects.toThrow('gone.svg is missing');
  await expect(refused({ theme: {} })).rejects.toThrow('aca.json: theme.primary: ');
  await expect(refused({ apikey: (await read('demo')).apikey })).rejects.toThrow('two tenants share one apikey');
  const redirects = { ...(await read('redirects')), consented: { [aca.clubID]: 'nowhere' } };
  await expect(save('redirects', redirects)).rejects.toThrow('consented: there is no tenant nowhere');
  await expect(save('Not a key', aca)).rejects.toThrow('Not a key is not a key');
  expect(await countVersions(database.pool)).toBe(before);
});

test('an earlier version is put back as the newest one', async () => {
  expect(await restoreVersion(deps(), 'aca', 1)).toEqual({ key: 'aca', version: 3, changed: ['name'] });
  expect((await entries())[0]).toMatchObject({ action: 'tenant restored' });
  await expect(restoreVersion(deps(), 'aca', 99)).rejects.toThrow('Version 99 of aca was not found');
});

test('a file that was changed as well is refused at the next start, one that changed alone is taken', async () => {
  await save('demo', { ...(await read('demo')), name: 'Demonstration' });
  for (const [key, name] of [
    ['demo', 'Demo of the file'],
    ['ended', 'Ended for good'],
  ] as const)
    await writeFile(join(folder, `${key}.json`), JSON.stringify({ ...(await read(key)), name }));
  const before = await countVersions(database.pool);
  expect(await takeUpFiles({ db: database.pool, clock, folder }, { isOnlySeed: true })).toEqual([]);
  expect(await takeUpFiles({ db: database.pool, clock, folder })).toEqual([
    expect.stringMatching(/^tenants\/demo\.json differs from version 2 in name: both were changed/),
  ]);
  expect(await countVersions(database.pool)).toBe(before + 1);
  expect(await newest('ended')).toMatchObject({ version: 2, origin: 'file', content: { name: 'Ended for good' } });
});

test('a version that cannot be read replaces none', async () => {
  const problems: string[] = [];
  const following = await followTenants(database.pool, { onProblem: (each) => problems.push(each), pollEveryMs: 20 });
  const known = following.tenants.byKey('ended');
  await database.pool`
    insert into tenant_versions (tenant_key, version, settings, origin, saved_at)
    values ('ended', 3, '{"name": 7}', 'edit', ${clock.now()})`;
  await expect.poll(() => problems, { timeout: 10_000 }).toContainEqual(expect.stringMatching(/^version 3 of ended/));
  expect(following.tenants.byKey('ended')).toEqual(known);
  await following.close();
});
