import { cents, csv, dollars, formatCents, textCell } from '@sparechange/domain';
import type { Command } from 'commander';
import { type ClubStatement, clubStatement } from '#features/remittance/club-statement.ts';
import { operate } from './operate.ts';
import { monthOption } from './savings-run.ts';

/** For a spreadsheet: a line a supporter, amounts in dollars, and nothing else, so that columns can be added up. */
const asCsv = ({ supporters }: ClubStatement): string =>
  csv([
    ['Supporter', 'Round-ups', 'One-off donations', 'Taken back', 'Total'],
    ...supporters.map((line) => [
      textCell(line.supporter),
      dollars(line.roundUpCents),
      dollars(line.donationCents),
      dollars(line.takenBackCents),
      dollars(line.totalCents),
    ]),
  ]).trimEnd();

/** Names are typed by strangers: nothing in them steers a terminal. */
const onOneLine = (name: string): string => name.replace(/\p{Cc}+/gu, ' ');

const money = (value: number): string => formatCents(cents(value)).padStart(12);

function asText(statement: ClubStatement): string {
  const { club, month, remittances, failed, supporters, totalCents, stillPayableCents } = statement;
  const width = Math.max(24, ...supporters.map(({ supporter }) => supporter.length));
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
      ({ date, reference, cents }) => `${date}  ${reference}  ${money(cents)}  did not arrive; not counted`,
    ),
    '',
    row('Supporter', ...heads),
    ...supporters.map((line) =>
      row(
        onOneLine(line.supporter),
        money(line.roundUpCents),
        money(line.donationCents),
        money(line.takenBackCents),
        money(line.totalCents),
      ),
    ),
    row('Total', ' '.repeat(36), money(totalCents)),
    '',
    `Cleared and not yet remitted today: ${formatCents(cents(stillPayableCents))}`,
  ].join('\n');
}

const inWords: Record<string, string> = {
  planned: 'planned',
  submitting: 'on its way',
  submitted: 'on its way',
  cleared: 'arrived',
};

export function statementCommand(program: Command): void {
  const command = program
    .command('statement')
    .description('what a club received in a month, supporter by supporter, without bank data')
    .requiredOption('--club <id>', 'the id of the club, as clubs list shows it')
    .requiredOption('--month <month>', 'YYYY-MM')
    .option('--csv', 'a line a supporter, for a spreadsheet');
  operate(command, async ({ db }, _words, options) => {
    const statement = await clubStatement(db, String(options.club), monthOption(String(options.month)));
    return { json: statement, text: options.csv ? asCsv(statement) : asText(statement) };
  });
}
