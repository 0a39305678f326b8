import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { listClubs } from '#features/clubs/club-repository.ts';
import { importClubs } from '#features/clubs/import-clubs.ts';
import { CommandProblem, operate } from './operate.ts';

export function clubCommands(program: Command): void {
  const clubs = program.command('clubs').description('the clubs and causes supporters can choose');
  operate(clubs.command('list').description('all clubs by name'), async ({ db }) => {
    const list = await listClubs(db);
    return { json: { clubs: list }, text: list.map((club) => `${club.id}  ${club.name}`).join('\n') };
  });
  const imports = clubs.command('import <file>').description('add or rename clubs from a CSV, all or nothing');
  operate(imports, async ({ db, seal }, [file]) => {
    const text = await readFile(file ?? '', 'utf8').catch(() => {
      throw new CommandProblem(`${file} cannot be read.`);
    });
    const imported = await importClubs(db, seal, text).catch((error: Error) => {
      throw new CommandProblem(error.message);
    });
    return { json: { imported }, text: `${imported} clubs imported` };
  });
}
