import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Cents,
  formatCents,
  lastDayOf,
  type Month,
  negate,
  periodInWords,
  printableLine,
} from '@sparechange/domain';
import { listSubmitted } from '#features/disbursements/remittance-advice/advice-repository.ts';
import { filesOf } from '#features/disbursements/remittance-advice/compose-advice.ts';
import { findOrMakeAdvice } from '#features/disbursements/remittance-advice/make-advice.ts';
import { type ClubStatement, clubStatement, statementCsv } from '#features/disbursements/remittances/club-statement.ts';
import { whatFollows } from '#features/disbursements/remittances/failed-remittances.ts';
import { issueReceipt, receiptFileName } from '#features/supporters/receipts/issue-receipt.ts';
import { listReceipts } from '#features/supporters/receipts/list-receipts.ts';
import { today } from '#ports/clock.ts';
import type { Runtime } from '#runtime/compose.ts';
import { adviceDependencies } from '#runtime/dependencies.ts';
import { findOneSupporter } from './find-supporter.ts';
import type { OpsCommand } from './ops-command.ts';
import { monthOption } from './read-options.ts';

const money = (value: Cents): string => formatCents(value).padStart(12);

function asText(statement: ClubStatement): string {
  const { club, month, remittances, failed, supporters, totalCents, stillPayableCents, receivableCents } = statement;
  const { reservedCents, reserveCents } = statement;
  const names = [...supporters.map(({ supporter }) => supporter), ...adjustmentLines(statement).map(([name]) => name)];
  const width = Math.max(24, ...names.map((name) => name.length));
  const row = (name: string, ...cells: string[]) => `${name.padEnd(width)}${cells.join('')}`;
  const heads = ['Round-ups', 'Donations', 'Taken back', 'Total'].map((head) => head.padStart(12));
  return [
    `${club.name}${club.abn ? `, ABN ${club.abn}` : ''}: received in ${month}`,
    '',
    ...remittances.map(
      ({ date, reference, state, cents }) => `${date}  ${reference}  ${money(cents)}  ${inWords[state]}`,
    ),
    `Remitted${money(totalCents)}`,
    ...failed.map(
      ({ date, reference, cents, isRetried, retryOn }) =>
        `${date}  ${reference}  ${money(cents)}  did not arrive and is not counted; ${isRetried ? 'was paid again' : whatFollows({ retryOn })}`,
    ),
    '',
    row('Supporter', ...heads),
    ...supporters.map((line) =>
      row(
        printableLine(line.supporter),
        money(line.roundUpCents),
        money(line.donationCents),
        money(line.takenBackCents),
        money(line.totalCents),
      ),
    ),
    ...adjustmentLines(statement).map(([name, amount]) => row(name, ' '.repeat(36), amount)),
    row('Total', ' '.repeat(36), money(totalCents)),
    '',
    `Cleared and not yet remitted today: ${formatCents(stillPayableCents)}`,
    ...(receivableCents > 0
      ? [
          `Claimed back by banks or refunded to supporters after it was remitted, and paid by the next donations: ${formatCents(receivableCents)}`,
        ]
      : []),
    ...(reservedCents > 0 || reserveCents > 0
      ? [
          `Held back as a reserve against later claims: ${formatCents(reservedCents)} of at most ${formatCents(reserveCents)}`,
        ]
      : []),
    ...statement.corrections
      .filter(({ isRemitted }) => !isRemitted)
      .map(
        (each) =>
          `Correction of ${each.date}, part of a later remittance: ${formatCents(each.cents)} (${printableLine(each.reason ?? each.id)})`,
      ),
  ].join('\n');
}

/** Lines beside the supporters' that complete the amount remitted. */
function adjustmentLines({ corrections, heldBackCents }: ClubStatement): [name: string, amount: string][] {
  const remitted = corrections.filter(({ isRemitted }) => isRemitted);
  return [
    ...remitted.map((each): [string, string] => [
      `Correction ${each.date}: ${printableLine(each.reason ?? each.id)}`,
      money(each.cents),
    ]),
    ...(heldBackCents > 0 ? [['Held back as a reserve', money(negate(heldBackCents))] as [string, string]] : []),
    ...(heldBackCents < 0 ? [['Out of the reserve', money(negate(heldBackCents))] as [string, string]] : []),
  ];
}

const inWords: Record<string, string> = {
  planned: 'planned',
  submitting: 'on its way',
  submitted: 'on its way',
  cleared: 'arrived',
};

async function writeAdvices(runtime: Runtime, clubId: string, month: Month, folder: string): Promise<string[]> {
  const { db, clock } = runtime;
  const files: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const remittance of await listSubmitted(db, clubId, month, lastDayOf(month))) {
    const advice = await findOrMakeAdvice({ db, clock }, remittance, today(clock));
    const { name, csv, pdf } = await filesOf(adviceDependencies(runtime), advice);
    await writeFile(join(folder, `${name}.csv`), csv);
    await writeFile(join(folder, `${name}.pdf`), pdf);
    files.push(join(folder, `${name}.csv`), join(folder, `${name}.pdf`));
  }
  return files;
}

export function statementCommand(command: OpsCommand): void {
  command
    .requiredOption('--club <id>', 'the id of the club, as clubs list shows it')
    .requiredOption('--month <month>', 'YYYY-MM')
    .option('--csv', 'one line per supporter, for a spreadsheet')
    .option(
      '--pack <dir>',
      'write the advice of each remittance of the month to this folder, as it was or would be mailed',
    )
    .carryOut(async (runtime, _words, options) => {
      const month = monthOption(String(options.month));
      const statement = await clubStatement(runtime.db, String(options.club), month);
      if (typeof options.pack === 'string') {
        const files = await writeAdvices(runtime, statement.club.id, month, options.pack);
        return { json: { ...statement, files }, text: files.join('\n') };
      }
      return { json: statement, text: options.csv ? statementCsv(statement) : asText(statement) };
    });
}

export function receiptsCommand(command: OpsCommand): void {
  command
    .option('--dir <dir>', 'write them to this folder as PDF, and issue those never asked for before')
    .carryOut(async (whole, [email = ''], { dir }) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email);
      const files: string[] = [];
      for (const period of typeof dir === 'string' ? await listReceipts(runtime.db, supporterId) : []) {
        const receipt = await issueReceipt(runtime, supporterId, period);
        const file = join(String(dir), receiptFileName(period, receipt));
        await mkdir(String(dir), { recursive: true });
        await writeFile(file, receipt.pdf);
        files.push(file);
      }
      const receipts = await listReceipts(runtime.db, supporterId);
      const lines = receipts.map(
        (receipt) =>
          `${(receipt.number ?? 'not yet asked for').padEnd(20)}${formatCents(receipt.totalCents).padStart(12)}  ${periodInWords(receipt)}`,
      );
      return {
        json: { receipts, files },
        text: [...lines, ...files].join('\n') || 'There are no receipts yet.',
      };
    });
}
