import { csv, dollars, type IsoDate, isoDate, sydneyDay, textCell } from '@sparechange/domain';
import { checkpointLine } from '#audit/checkpoint-file.ts';
import { readCheckpoints } from '#audit/checkpoint-repository.ts';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { clubPart } from '#features/accounting/journal/journal-accounts.ts';
import { type JournalDays, type JournalProgress, writeJournal } from '#features/accounting/journal/write-journal.ts';
import { type ExportDeps, summariseDays } from '#features/disbursements/remittance-advice/export-payouts.ts';
import { monthlyBalances } from './monthly-balances.ts';
import { type PackFigure, readFigures } from './pack-figures.ts';
import { packReadme, packRules } from './pack-readme.ts';
import { listPaidClubs, packedPayouts, receiptTotals } from './pack-repository.ts';
import { type FileToZip, zipFiles } from './zip-files.ts';

export interface PackDeps extends Omit<ExportDeps, 'db'> {
  db: Pool;
}

export interface PackReport {
  files: number;
  /** Sentences about statements that could not be written. */
  leftOut: string[];
}

/**
 * Writes the books of some closed days, with all that an auditor needs to recompute their sums, as one ZIP archive in
 * pieces. What is left out is in the page and in `report`.
 */
export function writePack(
  deps: PackDeps,
  folder: string,
  days: JournalDays,
  report: PackReport,
  onDay?: (progress: JournalProgress) => void,
): AsyncGenerator<Uint8Array> {
  return zipFiles(folder, filesOf(deps, days, report, onDay), deps.clock.now());
}

async function* filesOf(
  deps: PackDeps,
  days: JournalDays,
  report: PackReport,
  onDay?: (progress: JournalProgress) => void,
): AsyncGenerator<FileToZip> {
  const { db, clock, statementName } = deps;
  const statements: PackFigure[] = [];
  const file = (name: string, pieces: FileToZip['pieces']): FileToZip => {
    report.files += 1;
    return { name, pieces };
  };
  yield file('books.journal', writeJournal(db, days, onDay));
  yield file('balances.csv', monthlyBalances(db, days));
  yield file('payouts.csv', payoutsCsv(db, days));
  yield file('receipts.csv', [await receiptsCsv(db, days)]);
  yield file('checkpoints.jsonl', checkpoints(db, days));
  for (const { id, slug } of await listPaidClubs(db, days)) {
    const name = `statements/${clubPart(id, slug)}.csv`;
    try {
      const { text, cents } = await summariseDays(deps, { clubId: id, ...days });
      const command = `hledger --rules-file statements.rules -f ${name} balance -N '^paid$'`;
      statements.push({ name: clubPart(id, slug), cents, command });
      yield file(name, [text]);
    } catch (error) {
      report.leftOut.push(`\`${name}\` could not be written: ${(error as Error).message}`);
    }
  }
  for (const [name, rules] of Object.entries(packRules)) yield file(name, [rules]);
  const figures = await readFigures(db, days);
  const facts = { operator: statementName, days, madeAt: clock.now(), figures, statements, leftOut: report.leftOut };
  yield file('README.md', [packReadme(facts)]);
}

async function* payoutsCsv(db: Pool, days: JournalDays): AsyncGenerator<string> {
  yield csv([['paid_on', 'reference', 'state', 'dollars', 'club_id', 'club']]);
  for await (const page of packedPayouts(db, days))
    yield csv(
      page.map(({ paidOn, reference, state, cents, clubId, club }) => [
        paidOn,
        textCell(reference),
        state,
        dollars(cents),
        clubId,
        textCell(club),
      ]),
    );
}

async function receiptsCsv(db: Pool, days: JournalDays): Promise<string> {
  const rows = (await receiptTotals(db, days)).map(({ firstDay, kind, receipts, totalCents, deductibleCents }) => [
    firstDay,
    kind,
    String(receipts),
    dollars(totalCents),
    dollars(deductibleCents),
  ]);
  return csv([['first_day', 'kind', 'receipts', 'total', 'deductible'], ...rows]);
}

/** Lists the checkpoints made on some days, of control and each bucket. */
async function* checkpoints(db: Pool, { from, to }: JournalDays): AsyncGenerator<string> {
  const isWithin = (day: IsoDate) => day >= from && day <= to;
  for (const place of controlAndBuckets(db))
    for await (const checkpoint of readCheckpoints(place))
      if (isWithin(isoDate(sydneyDay(checkpoint.madeAt)))) yield `${checkpointLine(checkpoint)}\n`;
}
