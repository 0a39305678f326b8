import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importClubs } from '#features/clubs/import-clubs.ts';
import { makeSeal } from '#secrets/seal.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { checkTenants } from './check-tenants.ts';
import { loadTenants } from './load-tenants.ts';

const shipped = fileURLToPath(new URL('../../../../../tenants', import.meta.url));
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await aDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sparechange-tenants-'));
  await cp(shipped, folder, { recursive: true });
  await importClubs(database.pool, makeSeal([Buffer.alloc(32, 1)]), await readFile(join(folder, 'clubs.csv'), 'utf8'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

test('the shipped tenants fit the shipped clubs, logos and redirects', async () => {
  expect(await checkTenants(database.pool, await loadTenants(folder), folder)).toEqual([]);
});

test('an unknown club, a missing logo and a redirect to nowhere are each named', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const aca = JSON.parse(await readFile(join(folder, 'aca.json'), 'utf8'));
  await writeFile(
    join(folder, 'aca.json'),
    JSON.stringify({ ...aca, clubID: nobody, logoURL: '/tenants/logos/gone.svg' }),
  );
  const redirects = JSON.parse(await readFile(join(folder, 'redirects.json'), 'utf8'));
  const [club] = Object.keys(redirects.verify);
  redirects.consented = { [String(club)]: 'nowhere' };
  await writeFile(join(folder, 'redirects.json'), JSON.stringify(redirects));
  expect(await checkTenants(database.pool, await loadTenants(folder), folder)).toEqual([
    `aca: there is no club ${nobody}`,
    'aca: /tenants/logos/gone.svg is missing',
    'redirects.json consented: there is no tenant nowhere',
  ]);
});
