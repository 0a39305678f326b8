import { readFile } from 'node:fs/promises';
import { AdviceFrequency } from '@sparechange/contract';
import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type ListedClub, listClubs, setAdviceFrequency, setReserve } from '#features/clubs/club-repository.ts';
import { importClubs } from '#features/clubs/import-clubs.ts';
import { dollarsOption } from './ledger.ts';
import { CommandProblem, type OpsCommand } from './operate.ts';

const frequencyWords: Record<AdviceFrequency, string> = {
  each_payout: 'with each payout',
  weekly: 'weekly',
  monthly: 'monthly',
};

const clubLine = ({ id, name, reserveCents, adviceFrequency }: ListedClub): string =>
  [
    `${id}  ${name}`,
    ...(reserveCents > 0 ? [`reserve up to ${formatCents(reserveCents)}`] : []),
    ...(adviceFrequency === 'each_payout' ? [] : [`advices ${frequencyWords[adviceFrequency]}`]),
  ].join('  ');

export function clubCommands(program: OpsCommand): void {
  const clubs = program.command('clubs').description('the clubs and causes supporters can choose');
  clubs
    .command('list')
    .description('all clubs by name, how much of their remittances is held back at most, and how often they are mailed')
    .carryOut(async ({ db }) => {
      const list = await listClubs(db);
      return { json: { clubs: list }, text: list.map(clubLine).join('\n') };
    });
  clubs
    .command('import <file>')
    .description('add or rename clubs from a CSV, all or nothing')
    .carryOut(async ({ db, encryption }, [file]) => {
      const text = await readFile(file ?? '', 'utf8').catch(() => {
        throw new CommandProblem(`${file} cannot be read.`);
      });
      const imported = await importClubs(db, encryption, text).catch((error: Error) => {
        throw new CommandProblem(error.message);
      });
      return { json: { imported }, text: `${counted(imported, 'club')} imported` };
    });
  clubs
    .command('advices <club> <frequency>')
    .description(`mail a club its remittance advices so often: ${AdviceFrequency.options.join(', ')}`)
    .carryOut(async ({ db }, [id = '', word]) => {
      const { data: frequency } = AdviceFrequency.safeParse(word);
      if (!frequency) throw new CommandProblem(`The frequency is one of ${AdviceFrequency.options.join(', ')}.`);
      const club = await setAdviceFrequency(db, id, frequency);
      if (club === undefined) throw new CommandProblem(`There is no club ${id}; \`ops clubs list\` names them.`);
      return { json: { club, frequency }, text: `${club}: advices are mailed ${frequencyWords[frequency]}` };
    });
  clubs
    .command('reserve <club> <dollars>')
    .description('hold back up to that much of what a club is paid, for claims after the payout; 0 pays it all out')
    .carryOut(async ({ db }, [id = '', dollars]) => {
      const reserve = dollarsOption(dollars, 'The reserve');
      const club = await setReserve(db, id, reserve);
      if (club === undefined) throw new CommandProblem(`There is no club ${id}; \`ops clubs list\` names them.`);
      return { json: { club, reserveCents: reserve }, text: `${club}: up to ${formatCents(reserve)} is held back` };
    });
}
