import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryLogo as realTrial } from '#documents/try-logo.ts';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { aPng } from '#testing/a-png.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { checkTenants, drawingCheck } from './check-tenants.ts';
import { loadTenants } from './load-tenants.ts';
import { tenantFiles } from './tenant-files.ts';

const shipped = fileURLToPath(new URL('../../../../tenants', import.meta.url));
const tryLogo = async (drawing: string | Buffer) =>
  drawing.includes('spiral') ? ['it takes too much time or memory to draw'] : [];
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await aDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sparechange-tenants-'));
  await cp(shipped, folder, { recursive: true });
  await importClubs(
    database.pool,
    makeFieldEncryption([Buffer.alloc(32, 1)]),
    await readFile(join(folder, 'clubs.csv'), 'utf8'),
    new Date(),
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

test('the shipped tenants fit the shipped clubs, logos and redirects', async () => {
  expect(await checkTenants(database.pool, await loadTenants(folder), folder, tryLogo)).toEqual([]);
});

test('what is wrong with a tenant, a club and the redirects is named, each on a line', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const aca = JSON.parse(await readFile(join(folder, 'aca.json'), 'utf8'));
  await writeFile(join(folder, 'logos', 'bad.svg'), '<svg viewBox="0 0 96 96"><script>1</script></svg>');
  const changes = {
    clubID: nobody,
    abn: '51824753557',
    theme: { ...aca.theme, background: '#787878' },
    logoURL: '/tenants/logos/gone.svg',
    logoURLDashboard: '/tenants/logos/bad.svg',
  };
  await writeFile(join(folder, 'aca.json'), JSON.stringify({ ...aca, ...changes }));
  await writeFile(join(folder, 'logos', 'slow.svg'), '<svg viewBox="0 0 96 96"><title>spiral</title></svg>');
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
  await writeFile(join(folder, 'demo.json'), JSON.stringify({ ...demo, logoURL: 'https://elsewhere.example/a.svg' }));
  const redirects = JSON.parse(await readFile(join(folder, 'redirects.json'), 'utf8'));
  const [club] = Object.keys(redirects.verify);
  redirects.consented = { [String(club)]: 'nowhere' };
  await writeFile(join(folder, 'redirects.json'), JSON.stringify(redirects));
  await database.rows`update clubs set abn = '12345678901', logo = 'slow.svg' where slug = 'bellbird-bowls'`;
  expect(await checkTenants(database.pool, await loadTenants(folder), folder, tryLogo)).toEqual([
    `aca: there is no club ${nobody}`,
    'aca: 51824753557 is not an ABN, its check digits are wrong',
    'aca: text on background is hard to read: its contrast is 4.42, at least 4.5 is needed',
    'aca: text on background at night is hard to read: its contrast is 4.42, at least 4.5 is needed',
    'aca: /tenants/logos/gone.svg is missing',
    'aca: /tenants/logos/bad.svg: <script> is not allowed',
    'demo: https://elsewhere.example/a.svg is not /tenants/logos/NAME.svg',
    expect.stringMatching(/^club 6efe692f.*Bellbird.*12345678901 is not an ABN/),
    expect.stringMatching(/^club 6efe692f.*slow\.svg: it takes too much time or memory to draw$/),
    'redirects.json consented: there is no tenant nowhere',
    `redirects.json sends supporters of ${club} round in a loop: confirmed to aca, consented to nowhere`,
  ]);
});

test('a picture of pixels is drawn as a drawing is, and a WebP must be whole', async () => {
  const png = aPng();
  const own = await mkdtemp(join(tmpdir(), 'sparechange-tenants-'));
  await cp(shipped, own, { recursive: true });
  for (const [name, content] of [
    ['cut.png', png.subarray(0, png.length - 30)],
    ['cut.webp', Buffer.from('RIFF\x40\0\0\0WEBPVP8 and no more', 'latin1')],
  ] as const)
    await writeFile(join(own, 'pictures', name), content);
  const check = drawingCheck(tenantFiles(own, database.pool), realTrial);
  expect(await check({ picture: 'cut.png' })).toEqual(['/tenants/pictures/cut.png: it cannot be drawn']);
  expect(await check({ picture: 'cut.webp' })).toEqual(['/tenants/pictures/cut.webp: not a whole WebP file']);
  await rm(own, { recursive: true });
});
