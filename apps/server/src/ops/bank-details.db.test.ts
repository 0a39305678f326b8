import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase();
const ops = opsOn(() => database);
const ask = (club: string, number: string, bsb = '062000') =>
  ops('clubs', 'bank-details', club, '--bsb', bsb, '--account-number', number);

test('a club shows a change of its bank details and what that waits for, until it is stopped', async () => {
  const club = await aClub(database.pool, { slug: 'rovers' });
  await database.pool`update clubs set contact_email = 'treasurer@rovers.example' where id = ${club}`;
  expect((await ask(club, '87654321')).said).toContain('waits for the confirmation of treasurer@rovers.example');
  expect((await ops('clubs', 'show', 'rovers')).said).toContain('account that ends in 321: waits for the confirmation');
  const [entry] = await database.pool<{ details: object }[]>`
    select details from audit_log where action = 'ops clubs bank-details'`;
  expect(JSON.stringify(entry?.details)).not.toContain('87654321');
  expect((await ops('clubs', 'stop-bank-details', 'rovers')).said).toContain('is stopped');
  expect((await ops('clubs', 'show', club)).said).not.toContain('change');
});

test('with two people a change waits for the second one, and a file changes no bank details', async () => {
  const club = await aClub(database.pool);
  await ops('approvals', 'people', '2');
  expect((await ask(club, '12345678')).said).toContain('asked for, not done');
  expect((await ops('clubs', 'show', club)).said).toContain('waits for a second person');
  const folder = await mkdtemp(join(tmpdir(), 'clubs-'));
  const file = join(folder, 'clubs.csv');
  await writeFile(
    file,
    `id,slug,name,parent_id,abn,bsb,account_number,account_name\n${club},rovers-2,Rovers,,,062000,12345678,Rovers\n`,
  );
  expect((await ops('clubs', 'import', file)).said).toContain('are changed with ops clubs bank-details');
  await rm(folder, { recursive: true });
});

test('a BSB whose bank is not known is taken, with a warning', async () => {
  const club = await aClub(database.pool);
  const { said } = await ask(club, '12345678', '999-999');
  expect(said).toContain('Please check it');
  expect((await ask(club, '12345678')).said).not.toContain('Please check it');
});
