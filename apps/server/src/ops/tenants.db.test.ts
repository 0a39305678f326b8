import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { ownDatabase } from '#testing/database.ts';
import { testEncryption } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const shipped = fileURLToPath(new URL('../../../../tenants', import.meta.url));
const database = ownDatabase();
const ops = opsOn(() => database);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenants-'));
  await importClubs(database.pool, testEncryption, await readFile(join(shipped, 'clubs.csv'), 'utf8'), new Date());
});
afterAll(() => rm(folder, { recursive: true }));

const json = async (...words: string[]) => JSON.parse((await ops(...words, '--json')).said);

async function acaWith(changes: object): Promise<string> {
  const file = join(folder, 'aca.json');
  const aca = JSON.parse(await readFile(join(shipped, 'aca.json'), 'utf8'));
  await writeFile(file, JSON.stringify({ ...aca, ...changes }));
  return file;
}

test('a tenant is saved, listed, compared and put back, with its person in the audit log', async () => {
  expect(await ops('tenants', 'check')).toMatchObject({ code: 0 });
  const { said } = await ops('tenants', 'save', await acaWith({ name: 'Aca of Australia' }));
  expect(said).toContain('aca: version 2 is live within a minute: name');
  expect((await ops('tenants', 'list')).said).toMatch(/^aca {2}version 2 .* saved by \w+$/m);
  const { versions } = await json('tenants', 'versions', 'aca');
  expect(versions).toMatchObject([
    { version: 2, origin: 'edit', changed: ['name'] },
    { version: 1, origin: 'file', changed: [] },
  ]);
  expect((await ops('tenants', 'restore', 'aca', '1')).said).toContain('aca: version 3 is live');
  const [entry] = await database.pool<{ details: { by: string } }[]>`
    select details from audit_log where action = 'tenant restored'`;
  expect(entry?.details.by).toBe(versions[0].savedBy);
});

test('a wrong file, an unknown tenant and an unknown version are refused in a sentence', async () => {
  expect(await ops('tenants', 'save', await acaWith({ logoURL: '/tenants/logos/gone.svg' }))).toMatchObject({
    code: 1,
    said: 'aca: /tenants/logos/gone.svg is missing\n',
  });
  await writeFile(join(folder, 'aca.json'), '{"name": ');
  expect((await ops('tenants', 'save', join(folder, 'aca.json'))).said).toMatch(/^aca\.json: not JSON: /);
  expect((await ops('tenants', 'versions', 'nobody')).said).toContain('There is no tenant nobody');
  expect((await ops('tenants', 'restore', 'aca', '99')).said).toContain('Version 99 of aca was not found');
  expect((await ops('tenants', 'restore', 'aca', 'first')).said).toContain('first is not the number of a version');
});

test('brands seeded from files are exported as equal files', async () => {
  const out = await mkdtemp(join(tmpdir(), 'export-'));
  expect((await ops('tenants', 'export', '--folder', out)).said).toBe(`21 files written to ${out}\n`);
  for (const name of await readdir(out)) {
    const text = async (from: string) => JSON.parse(await readFile(join(from, name), 'utf8'));
    expect(await text(out)).toMatchObject(await text(shipped));
  }
  expect(await json('tenants', 'export', 'demo')).toMatchObject({ tenant: 'demo' });
  await rm(out, { recursive: true });
});
