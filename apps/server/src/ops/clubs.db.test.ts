import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents } from '@sparechange/domain';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setReserve } from '#features/clubs/club-repository.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub } from '#testing/makers.ts';
import { clubCommands } from './clubs.ts';
import { receivableLines } from './ledger.ts';

const database = ownDatabase();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ops-clubs-'));
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function ops(...words: string[]): Promise<string> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const program = new Command('ops');
    clubCommands(program);
    await program.parseAsync(['node', 'ops', ...words]);
  } finally {
    spy.mockRestore();
  }
  return written.join('');
}

test('the list of clubs shows how much of a club’s remittances is held back', async () => {
  const divers = await aClub(database.pool, { name: 'Harbour Divers' });
  const rovers = await aClub(database.pool, { name: 'Riverside Rovers' });
  await setReserve(database.pool, rovers, cents(50_00));
  const text = await ops('clubs', 'list');
  expect(text).toContain(`${divers}  Harbour Divers\n`);
  expect(text).toContain(`${rovers}  Riverside Rovers  reserve up to $50.00`);
  const { clubs } = JSON.parse(await ops('clubs', 'list', '--json'));
  expect(clubs).toMatchObject([
    { id: divers, reserveCents: 0 },
    { id: rovers, reserveCents: 50_00 },
  ]);
});

test('what clubs owe was claimed back by banks or refunded', () => {
  expect(receivableLines([{ clubId: 'rovers', club: 'Riverside Rovers', cents: cents(71) }])[0]).toBe(
    'clubs owe $0.71 (1 club): debits reversed or refunded after they had been remitted',
  );
});
