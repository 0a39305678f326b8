import { addDays, type IsoDate, isoDate } from '@sparechange/domain';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/clubs/club-repository.ts';
import { type Clock, today } from '#ports/clock.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import { type BookAccounts, myobCsv, xeroCsv } from './accounting-files.ts';
import { packCsv, packFileName } from './advice-documents.ts';
import { findSubmitted, listSubmitted, type Pack, type PackedRemittance, PackFacts } from './advice-repository.ts';
import { type AdviceDeps, filesOf } from './compose-advice.ts';
import { findOrMakePack } from './make-advice.ts';
import { yearCsv, yearDocument } from './year-summary.ts';

export const exportFormats = ['csv', 'pdf', 'xero', 'myob'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRequest extends BookAccounts {
  clubId: string;
  format: ExportFormat;
  from: IsoDate;
  to: IsoDate;
}

export interface ExportedFile {
  name: string;
  content: string | Uint8Array;
}

export interface ExportDeps extends Pick<AdviceDeps, 'db' | 'printer' | 'tenants' | 'mainTenant'> {
  clock: Clock;
  /** The payer's name on the club's bank statement. */
  statementName: string;
}

const maxDays = 366;
const failedStates = ['refused', 'returned', 'reversed'];

type Wanted = Pick<ExportRequest, 'format' | 'income' | 'bank'>;

function textOf(facts: PackFacts[], { format, income, bank }: Wanted, payee: string): string {
  if (format === 'xero') return xeroCsv(facts, payee, { income });
  return format === 'myob' ? myobCsv(facts, { income, bank }) : packCsv(facts);
}

/** Returns the packs of payouts that have arrived or are on their way. */
async function packsOf({ db, clock }: ExportDeps, remittances: PackedRemittance[]): Promise<Pack[]> {
  const packs: Pack[] = [];
  for (const remittance of remittances)
    if (!failedStates.includes(remittance.state))
      packs.push(await findOrMakePack({ db, clock }, remittance, today(clock)));
  return packs;
}

const factsOf = (packs: Pack[]): PackFacts[] => packs.map((pack) => PackFacts.parse(pack.facts));

/** Returns a club's payouts of some days as files for its books; what came back is in the payout that paid it again. */
export async function exportPayouts(deps: ExportDeps, request: ExportRequest): Promise<ExportedFile[]> {
  const { db, statementName } = deps;
  const { clubId, format, from, to } = request;
  if (from > to || to > addDays(from, maxDays))
    throw new InvalidInput(`The days are in order, and at most ${maxDays}.`, {
      to: `Please choose a day up to ${maxDays} days after the first`,
    });
  const club = await findClub(db, clubId.toLowerCase());
  if (!club) throw new NotFound(`The club ${clubId}`);
  const packs = await packsOf(deps, await listSubmitted(db, club.id, from, to));
  if (packs.length === 0) return [];
  if (format === 'pdf') {
    const files: ExportedFile[] = [];
    for (const pack of packs) {
      const { name, pdf } = await filesOf(deps, pack);
      files.push({ name: `${name}.pdf`, content: pdf });
    }
    return files;
  }
  const content = textOf(factsOf(packs), request, statementName);
  return [{ name: `payouts-${from}-to-${to}-${format}.csv`, content }];
}

/** Returns a file of one payout. Throws Conflict for one that did not arrive or is not sent yet. */
export async function exportPayout(
  deps: ExportDeps,
  { clubId, payoutId, ...wanted }: Wanted & { clubId: string; payoutId: string },
): Promise<ExportedFile> {
  const remittance = await findSubmitted(deps.db, clubId, payoutId);
  if (!remittance) throw new NotFound('The payout');
  const [pack] = await packsOf(deps, [remittance]);
  if (!pack) throw new Conflict('This payout did not arrive; what it was to pay is in the files of a later one.');
  if (wanted.format === 'pdf') {
    const { name, pdf } = await filesOf(deps, pack);
    return { name: `${name}.pdf`, content: pdf };
  }
  const facts = PackFacts.parse(pack.facts);
  const name = `${packFileName(facts)}${wanted.format === 'csv' ? '' : `-${wanted.format}`}.csv`;
  return { name, content: textOf([facts], wanted, deps.statementName) };
}

/** Returns a file of a club's payouts of the financial year that begins in a calendar year: PDF and CSV have a line a payout. */
export async function exportYear(
  deps: ExportDeps,
  { clubId, year, ...wanted }: Wanted & { clubId: string; year: number },
): Promise<ExportedFile> {
  const [from, to] = [isoDate(`${year}-07-01`), isoDate(`${year + 1}-06-30`)];
  const { db, clock, printer, tenants, mainTenant } = deps;
  const packs = await packsOf(deps, await listSubmitted(db, clubId, from, to));
  if (packs.length === 0) throw new NotFound('A payout of this year');
  const facts = factsOf(packs);
  const name = `payouts-${year}-${year + 1}`;
  if (wanted.format === 'csv') return { name: `${name}.csv`, content: yearCsv(facts) };
  if (wanted.format !== 'pdf')
    return { name: `${name}-${wanted.format}.csv`, content: textOf(facts, wanted, deps.statementName) };
  const brand = await printer.brandOf(tenantOrDefault(tenants, mainTenant));
  return { name: `${name}.pdf`, content: await printer.print(yearDocument(facts, from, brand, clock.now())) };
}
