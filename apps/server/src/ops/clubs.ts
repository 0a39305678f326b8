import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AdviceFrequency } from '@sparechange/contract';
import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { decodeText } from '#decode-text.ts';
import { tryLogo } from '#documents/try-logo.ts';
import { endOfClub } from '#features/beneficiaries/clubs/campaigns.ts';
import {
  findClub,
  findPublicClub,
  type ListedClub,
  listClubs,
  setAdviceFrequency,
  setReserve,
} from '#features/beneficiaries/clubs/club-repository.ts';
import { drawPoster, posterAddress } from '#features/beneficiaries/clubs/draw-poster.ts';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { peopleRule } from '#features/core/approvals/people-needed.ts';
import { exportFormats, exportPayouts } from '#features/disbursements/remittance-advice/export-payouts.ts';
import { today } from '#ports/clock.ts';
import type { Runtime } from '#runtime/compose.ts';
import { adviceDependencies } from '#runtime/dependencies.ts';
import { drawingCheck } from '#tenants/check-tenants.ts';
import { bankDetailCommands } from './bank-details.ts';
import { editClubCommands } from './edit-club.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption, dollarsOption } from './read-options.ts';

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

const noClub = (id: string) => new CommandProblem(`There is no club ${id}; \`ops clubs list\` names them.`);

/** Writes files for a club's books into a folder. */
async function writeExport(
  runtime: Runtime,
  [clubId = '', folder = '']: string[],
  options: Record<string, string | boolean | undefined>,
): Promise<Answer> {
  const format = exportFormats.find((each) => each === options.format);
  if (!format) throw new CommandProblem(`--format takes one of ${exportFormats.join(', ')}.`);
  const deps = { ...adviceDependencies(runtime), clock: runtime.clock, statementName: runtime.config.statementName };
  const days = { from: dayOption(String(options.from)), to: dayOption(String(options.to)) };
  const accounts = { income: String(options.income), bank: options.bank as string | undefined };
  const exported = await exportPayouts(deps, { clubId, format, ...days, ...accounts });
  await mkdir(folder, { recursive: true });
  const files = exported.map(({ name }) => join(folder, name));
  for (const { name, content } of exported) await writeFile(join(folder, name), content);
  return { json: { files }, text: files.join('\n') || 'No payout of these days has arrived or is on its way.' };
}

export function clubCommands(clubs: OpsCommand): void {
  bankDetailCommands(clubs);
  editClubCommands(clubs);
  clubs
    .command('list')
    .description('all clubs by name, with their reserve limit and how often they are emailed')
    .carryOut(async ({ db }) => {
      const list = await listClubs(db);
      return { json: { clubs: list }, text: list.map(clubLine).join('\n') };
    });
  clubs
    .command('import <file>')
    .description('add or rename clubs from a CSV, all or nothing')
    .carryOut(async ({ db, clock, encryption, config, files }, [file]) => {
      const bytes = await readFile(file ?? '').catch(() => {
        throw new CommandProblem(`${file} cannot be read.`);
      });
      const keepsBankDetails = (await peopleRule(db, config.isProduction)).people === 2;
      const imported = await importClubs(db, encryption, decodeText(bytes), clock.now(), {
        keepsBankDetails,
        by: commandActor().id,
        checkDrawings: drawingCheck(files, tryLogo),
      }).catch((error: Error) => {
        throw new CommandProblem(error.message);
      });
      return { json: { imported }, text: `${counted(imported, 'club')} imported` };
    });
  clubs
    .command('advices <club> <frequency>')
    .description(`set how often a club is emailed its remittance advices: ${AdviceFrequency.options.join(', ')}`)
    .carryOut(async ({ db }, [id = '', word]) => {
      const { data: frequency } = AdviceFrequency.safeParse(word);
      if (!frequency) throw new CommandProblem(`The frequency is one of ${AdviceFrequency.options.join(', ')}.`);
      const club = await findClub(db, id.toLowerCase());
      if (!club) throw noClub(id);
      await setAdviceFrequency(db, club.id, frequency);
      return {
        json: { club: club.name, frequency },
        text: `${club.name}: advices are mailed ${frequencyWords[frequency]}`,
      };
    });
  clubs
    .command('reserve <club> <dollars>')
    .description("hold back up to this amount of a club's payouts, for claims after the payout; 0 pays it all out")
    .carryOut(async ({ db }, [id = '', dollars]) => {
      const reserve = dollarsOption(dollars, 'The reserve');
      const club = await setReserve(db, id, reserve);
      if (club === undefined) throw noClub(id);
      return { json: { club, reserveCents: reserve }, text: `${club}: up to ${formatCents(reserve)} is held back` };
    });
  clubs
    .command('export <club> <folder>')
    .description("write a club's payouts as files for its books, which add up to the deposits")
    .requiredOption('--format <format>', exportFormats.join(', '))
    .requiredOption('--from <day>', 'first day of payment, YYYY-MM-DD')
    .requiredOption('--to <day>', 'last day of payment')
    .option(
      '--income <account>',
      "account of the club's books for gifts, for MYOB five digits, for a journal a name such as Income:Donations; 260 is Other Revenue in a new Xero",
      '260',
    )
    .option(
      '--bank <account>',
      'account where deposits arrive, for MYOB and a journal, where it is Assets:Bank by default',
    )
    .carryOut(writeExport);
  clubs
    .command('poster <club> <file>')
    .description("write a club's poster with its QR code, an A4 PDF; a file that ends in .svg gets the code only")
    .carryOut(async (runtime, [id = '', file = '']) => {
      const deps = { ...runtime, mainTenant: runtime.config.mainTenant };
      const club = await findPublicClub(runtime.db, id.toLowerCase());
      if (!club) throw noClub(id);
      const content = await drawPoster(deps, club, file.toLowerCase().endsWith('.svg') ? 'svg' : 'poster');
      await writeFile(file, content).catch(() => {
        throw new CommandProblem(`${file} cannot be written.`);
      });
      const address = posterAddress(deps, club);
      const { endsOn, hasEnded } = endOfClub(runtime.tenants, club, today(runtime.clock));
      const end = endsOn === null ? '' : `\n${club.name} takes no more gifts ${hasEnded ? 'since' : 'from'} ${endsOn}`;
      return { json: { file, address, endsOn }, text: `${file} leads to ${address}${end}` };
    });
}
