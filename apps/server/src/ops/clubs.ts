import { readFile } from 'node:fs/promises';
import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { type ListedClub, listClubs, setReserve } from '#features/clubs/club-repository.ts';
import { importClubs } from '#features/clubs/import-clubs.ts';
import { dollarsOption } from './correct.ts';
import { CommandProblem, operate } from './operate.ts';

const clubLine = ({ id, name, reserveCents }: ListedClub): string =>
  `${id}  ${name}${reserveCents > 0 ? `  reserve up to ${formatCents(reserveCents)}` : ''}`;

export function clubCommands(program: Command): void {
  const clubs = program.command('clubs').description('the clubs and causes supporters can choose');
  operate(
    clubs.command('list').description('all clubs by name, and how much of their remittances is held back at most'),
    async ({ db }) => {
      const list = await listClubs(db);
      return { json: { clubs: list }, text: list.map(clubLine).join('\n') };
    },
  );
  const imports = clubs.command('import <file>').description('add or rename clubs from a CSV, all or nothing');
  operate(imports, async ({ db, encryption }, [file]) => {
    const text = await readFile(file ?? '', 'utf8').catch(() => {
      throw new CommandProblem(`${file} cannot be read.`);
    });
    const imported = await importClubs(db, encryption, text).catch((error: Error) => {
      throw new CommandProblem(error.message);
    });
    return { json: { imported }, text: `${counted(imported, 'club')} imported` };
  });
  const reserve = clubs
    .command('reserve <club> <dollars>')
    .description('hold back up to that much of what a club is paid, for claims after the payout; 0 pays it all out');
  operate(reserve, async ({ db }, [id = '', dollars]) => {
    const reserve = dollarsOption(dollars, 'The reserve');
    const club = await setReserve(db, id, reserve);
    if (club === undefined) throw new CommandProblem(`There is no club ${id}; \`ops clubs list\` names them.`);
    return { json: { club, reserveCents: reserve }, text: `${club}: up to ${formatCents(reserve)} is held back` };
  });
}
