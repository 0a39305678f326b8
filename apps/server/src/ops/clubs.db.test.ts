import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { receivableLines } from '#features/accounting/bookkeeping/club-receivables.ts';
import { setReserve } from '#features/beneficiaries/clubs/club-repository.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase();
const ops = opsOn(() => database);

test('the list of clubs shows how much of a club’s remittances is held back', async () => {
  const divers = await aClub(database.pool, { name: 'Harbour Divers' });
  const rovers = await aClub(database.pool, { name: 'Riverside Rovers' });
  await setReserve(database.pool, rovers, cents(50_00));
  const { said: text } = await ops('clubs', 'list');
  expect(text).toContain(`${divers}  Harbour Divers\n`);
  expect(text).toContain(`${rovers}  Riverside Rovers  reserve up to $50.00`);
  const { clubs } = JSON.parse((await ops('clubs', 'list', '--json')).said);
  expect(clubs).toMatchObject([
    { id: divers, reserveCents: 0 },
    { id: rovers, reserveCents: 50_00 },
  ]);
});

test('how often a club is emailed its advices is set and listed; anything else is refused', async () => {
  const rovers = await aClub(database.pool, { name: 'Riverside Rovers' });
  expect((await ops('clubs', 'advices', rovers, 'weekly')).said).toContain('advices are mailed weekly');
  expect((await ops('clubs', 'list')).said).toContain(`${rovers}  Riverside Rovers  advices weekly`);
  expect((await ops('clubs', 'advices', rovers, 'daily')).said).toContain('one of each_payout, weekly, monthly');
  expect((await ops('clubs', 'advices', 'nobody', 'weekly')).said).toContain('There is no club nobody');
});

test('a poster of a club and its code alone are written to files', async () => {
  const rovers = await aClub(database.pool, { name: 'Rovers', slug: 'rovers' });
  const folder = await mkdtemp(join(tmpdir(), 'poster-'));
  const [pdf, svg] = [join(folder, 'poster.pdf'), join(folder, 'code.svg')];
  expect(await ops('clubs', 'poster', rovers.toUpperCase(), pdf)).toMatchObject({ code: 0 });
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await ops('clubs', 'poster', rovers, svg)).said).toContain('/rovers?efg=1&u=poster');
  expect(await readFile(svg, 'utf8')).toMatch(/^<svg /);
  expect((await ops('clubs', 'poster', 'nobody', pdf)).said).toContain('There is no club nobody');
  expect((await ops('clubs', 'poster', rovers, join(folder, 'none', 'x.pdf'))).said).toContain('cannot be written');
  await rm(folder, { recursive: true });
});

test('files for a club’s books are written to a folder, or it is said why not', async () => {
  const rovers = await aClub(database.pool, { name: 'Rovers' });
  const write = (...words: string[]) => ops('clubs', 'export', rovers, '/nowhere', ...words);
  const november = ['--from', '2026-11-01', '--to', '2026-11-30'];
  expect((await write('--format', 'word', ...november)).said).toContain('one of csv, pdf, xero, myob');
  expect((await write('--format', 'xero', '--from', '2026-13-01', '--to', '2026-11-30')).said).toContain('2026-13-01');
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  expect(await ops('clubs', 'export', rovers, folder, '--format', 'csv', ...november)).toEqual({
    code: 0,
    said: 'No payout of these days has arrived or is on its way.\n',
  });
  await rm(folder, { recursive: true });
});

test('a logo or picture that is no file is named, and no club is imported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clubs-'));
  const file = join(folder, 'clubs.csv');
  const head = 'id,slug,name,parent_id,abn,bsb,account_number,account_name,logo,picture';
  const id = randomUUID();
  await writeFile(file, `${head}\n${id},pictured,Pictured Rovers,,,,,,nowhere.svg,nothing.svg\n`);
  const { code, said } = await ops('clubs', 'import', file);
  expect(code).toBe(1);
  expect(said).toContain('line 2: /tenants/logos/nowhere.svg is missing');
  expect(said).toContain('line 2: /tenants/pictures/nothing.svg is missing');
  expect(await database.rows`select from clubs where id = ${id}`).toEqual([]);
  await rm(folder, { recursive: true });
});

test('what clubs owe was claimed back by banks or refunded', () => {
  expect(receivableLines([{ clubId: 'rovers', club: 'Riverside Rovers', cents: cents(71) }])[0]).toBe(
    'clubs owe $0.71 (1 club): debits reversed or refunded after they had been remitted',
  );
});
