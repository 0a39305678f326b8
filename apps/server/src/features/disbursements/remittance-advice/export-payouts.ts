import { addDays, type Cents, type IsoDate, isoDate, total } from '@sparechange/domain';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { type Clock, today } from '#ports/clock.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import { type BookAccounts, myobCsv, payoutStatement, type StatementOf, xeroCsv } from './accounting-files.ts';
import { adviceCsv, adviceFileName } from './advice-documents.ts';
import { type Advice, AdviceFacts, type AdvisedRemittance, findSubmitted, listSubmitted } from './advice-repository.ts';
import { type AdviceDeps, filesOf } from './compose-advice.ts';
import { findOrMakeAdvice } from './make-advice.ts';
import { payoutJournal } from './payout-journal.ts';
import { statementFormats } from './statement-files.ts';
import { chosenDays, financialYear, type SummaryPeriod, summaryDocument, yearCsv } from './year-summary.ts';

export const exportFormats = ['csv', 'pdf', 'xero', 'myob', 'ofx', 'camt053', 'journal'] as const;
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
  /** Payer's name on the club's bank statement. */
  statementName: string;
}

const maxDays = 366;
const failedStates = ['refused', 'returned', 'reversed'];

type Wanted = Pick<ExportRequest, 'format' | 'income' | 'bank'>;

function textOf(
  facts: AdviceFacts[],
  { format, income, bank }: Wanted,
  { payee, ...days }: StatementOf & { payee: string },
): string {
  if (format === 'ofx' || format === 'camt053') return payoutStatement(facts, payee, format, days);
  if (format === 'journal') return payoutJournal(facts, payee, { income, bank }, days);
  if (format === 'xero') return xeroCsv(facts, payee, { income });
  return format === 'myob' ? myobCsv(facts, { income, bank }) : adviceCsv(facts);
}

/** Returns the name of a book file of one format. */
const bookFileName = (name: string, format: ExportFormat): string => {
  if (format === 'ofx' || format === 'camt053') return `${name}-${format}.${statementFormats[format].extension}`;
  if (format === 'journal') return `${name}.journal`;
  return `${name}${format === 'csv' ? '' : `-${format}`}.csv`;
};

/** Returns days of a statement that ends today at the latest. */
const daysUntilToday = ({ clock, statementName }: ExportDeps, from: IsoDate, to: IsoDate) => ({
  from,
  to: to > today(clock) ? today(clock) : to,
  madeAt: clock.now(),
  payee: statementName,
});

/** Returns the advices of payouts that have arrived or are on their way. */
async function advicesOf({ db, clock }: ExportDeps, remittances: AdvisedRemittance[]): Promise<Advice[]> {
  const advices: Advice[] = [];
  for (const remittance of remittances)
    if (!failedStates.includes(remittance.state))
      advices.push(await findOrMakeAdvice({ db, clock }, remittance, today(clock)));
  return advices;
}

const factsOf = (advices: Advice[]): AdviceFacts[] => advices.map((advice) => AdviceFacts.parse(advice.facts));

/** Returns the advices of a club's payouts of some days. Throws InvalidInput for days out of order or too many. */
async function advicesOfDays(
  deps: ExportDeps,
  { clubId, from, to }: Pick<ExportRequest, 'clubId' | 'from' | 'to'>,
): Promise<Advice[]> {
  if (from > to || to >= addDays(from, maxDays))
    throw new InvalidInput(`The days must be in order, and at most ${maxDays}.`, {
      to: `Please choose one of the ${maxDays} days from the first on`,
    });
  const club = await findClub(deps.db, clubId.toLowerCase());
  if (!club) throw new NotFound(`The club ${clubId}`);
  return advicesOf(deps, await listSubmitted(deps.db, club.id, from, to));
}

const bookFileOfDays = (deps: ExportDeps, advices: Advice[], request: ExportRequest): ExportedFile => {
  const { from, to, format } = request;
  const name = `payouts-${from}-to-${to}`;
  return {
    name: format === 'csv' ? `${name}-csv.csv` : bookFileName(name, format),
    content: textOf(factsOf(advices), request, daysUntilToday(deps, from, to)),
  };
};

/**
 * Returns a club's payouts of some days as files for its books, as PDF one for each payout; a returned payout is in the
 * one that paid it again.
 */
export async function exportPayouts(deps: ExportDeps, request: ExportRequest): Promise<ExportedFile[]> {
  const advices = await advicesOfDays(deps, request);
  if (advices.length === 0) return [];
  if (request.format !== 'pdf') return [bookFileOfDays(deps, advices, request)];
  const files: ExportedFile[] = [];
  for (const advice of advices) {
    const { name, pdf } = await filesOf(deps, advice);
    files.push({ name: `${name}.pdf`, content: pdf });
  }
  return files;
}

/** Returns one file of a club's payouts of some days; the PDF has a line per payout. */
export async function exportDays(deps: ExportDeps, request: ExportRequest): Promise<ExportedFile> {
  const { from, to, format } = request;
  const advices = await advicesOfDays(deps, request);
  if (advices.length === 0) throw new NotFound('A payout of these days');
  if (format !== 'pdf') return bookFileOfDays(deps, advices, request);
  const content = await printSummary(deps, advices, chosenDays(from, to));
  return { name: `payouts-${from}-to-${to}.pdf`, content };
}

/** Returns a club's payouts of some days as CSV, a line for each, and their sum. */
export async function summariseDays(
  deps: ExportDeps,
  days: { clubId: string; from: IsoDate; to: IsoDate },
): Promise<{ text: string; cents: Cents }> {
  const facts = factsOf(await advicesOfDays(deps, days));
  return { text: yearCsv(facts), cents: total(facts.map(({ totals }) => totals.net)) };
}

async function printSummary(deps: ExportDeps, advices: Advice[], period: SummaryPeriod): Promise<Uint8Array> {
  const { printer, tenants, mainTenant, clock } = deps;
  const brand = await printer.brandOf(tenantOrDefault(tenants, mainTenant));
  return printer.print(summaryDocument(factsOf(advices), period, brand, clock.now()));
}

/** Returns a file of one payout. Throws Conflict for one that did not arrive or is not sent yet. */
export async function exportPayout(
  deps: ExportDeps,
  { clubId, payoutId, ...wanted }: Wanted & { clubId: string; payoutId: string },
): Promise<ExportedFile> {
  const remittance = await findSubmitted(deps.db, clubId, payoutId);
  if (!remittance) throw new NotFound('The payout');
  const [advice] = await advicesOf(deps, [remittance]);
  if (!advice) throw new Conflict('This payout did not arrive; its amount is in the files of a later one.');
  if (wanted.format === 'pdf') {
    const { name, pdf } = await filesOf(deps, advice);
    return { name: `${name}.pdf`, content: pdf };
  }
  const facts = AdviceFacts.parse(advice.facts);
  const [name, paidOn] = [bookFileName(adviceFileName(facts), wanted.format), isoDate(facts.paidOn)];
  return { name, content: textOf([facts], wanted, daysUntilToday(deps, paidOn, paidOn)) };
}

/**
 * Returns a file of a club's payouts of the financial year that begins in a calendar year: PDF and CSV have a line per
 * payout.
 */
export async function exportYear(
  deps: ExportDeps,
  { clubId, year, ...wanted }: Wanted & { clubId: string; year: number },
): Promise<ExportedFile> {
  const [from, to] = [isoDate(`${year}-07-01`), isoDate(`${year + 1}-06-30`)];
  const advices = await advicesOf(deps, await listSubmitted(deps.db, clubId, from, to));
  if (advices.length === 0) throw new NotFound('A payout of this year');
  const facts = factsOf(advices);
  const name = `payouts-${year}-${year + 1}`;
  if (wanted.format === 'csv') return { name: `${name}.csv`, content: yearCsv(facts) };
  if (wanted.format !== 'pdf')
    return {
      name: bookFileName(name, wanted.format),
      content: textOf(facts, wanted, daysUntilToday(deps, from, to)),
    };
  return { name: `${name}.pdf`, content: await printSummary(deps, advices, financialYear(from)) };
}
