import { addDays, type IsoDate } from '@sparechange/domain';
import { InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/clubs/club-repository.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type BookAccounts, myobCsv, xeroCsv } from './accounting-files.ts';
import { packCsv } from './advice-documents.ts';
import { listSubmitted, type Pack, PackFacts } from './advice-repository.ts';
import { type AdviceDeps, filesOf } from './compose-advice.ts';
import { findOrMakePack } from './make-advice.ts';

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

interface ExportDeps extends Pick<AdviceDeps, 'db' | 'printer' | 'tenants' | 'mainTenant'> {
  clock: Clock;
  /** The payer's name on the club's bank statement. */
  statementName: string;
}

const maxDays = 366;
const failedStates = ['refused', 'returned', 'reversed'];

function textOf(facts: PackFacts[], { format, income, bank }: ExportRequest, payee: string): string {
  if (format === 'xero') return xeroCsv(facts, payee, { income });
  return format === 'myob' ? myobCsv(facts, { income, bank }) : packCsv(facts);
}

/** Returns a club's payouts of some days as files for its books; what came back is in the payout that paid it again. */
export async function exportPayouts(deps: ExportDeps, request: ExportRequest): Promise<ExportedFile[]> {
  const { db, clock, statementName } = deps;
  const { clubId, format, from, to } = request;
  if (from > to || to > addDays(from, maxDays))
    throw new InvalidInput(`The days are in order, and at most ${maxDays}.`, {
      to: 'before --from, or too far from it',
    });
  const club = await findClub(db, clubId.toLowerCase());
  if (!club) throw new NotFound(`The club ${clubId}`);
  const packs: Pack[] = [];
  for (const remittance of await listSubmitted(db, club.id, from, to))
    if (!failedStates.includes(remittance.state))
      packs.push(await findOrMakePack({ db, clock }, remittance, today(clock)));
  if (packs.length === 0) return [];
  if (format === 'pdf') {
    const files: ExportedFile[] = [];
    for (const pack of packs) {
      const { name, pdf } = await filesOf(deps, pack);
      files.push({ name: `${name}.pdf`, content: pdf });
    }
    return files;
  }
  const facts = packs.map((pack) => PackFacts.parse(pack.facts));
  return [{ name: `payouts-${from}-to-${to}-${format}.csv`, content: textOf(facts, request, statementName) }];
}
