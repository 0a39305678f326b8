import { createHash } from 'node:crypto';
import type { ColumnMapping } from '@sparechange/contract/console';
import { type Cents, inIsoOrder, noCents } from '@sparechange/domain';
import { type CsvRow, delimiterOf, readCsv } from '#csv.ts';
import { quoted } from '#errors.ts';
import { bankOf } from './bank-of-columns.ts';
import { atEndsOfDays, isBalanceAlone, isOfClosing } from './closing-balances.ts';
import {
  type BankColumns,
  meaningsOf,
  missingMeanings,
  namelessColumns,
  repeatedColumn,
  sidesOf,
} from './columns-of-banks.ts';
import { folded } from './line-identity.ts';
import { ColumnQuestion, isHeading, isPartlySerial, mapColumns, unknownColumnsOf } from './mapped-columns.ts';
import { type NamedRow, refuseOthers } from './others-in-csv.ts';
import { type BalancedRow, balanceOf, readRunningBalance } from './running-balance.ts';
import {
  centsOf,
  checkAmounts,
  dayOf,
  idOf,
  type StatementFile,
  type StatementLine,
  StatementProblem,
} from './statement-file.ts';

const columnName = (name: string): string => folded(name).toLowerCase().replace(/[ -]/g, '_');

/**
 * Reads a statement as comma-separated values. The first line names the columns as the big Australian banks do:
 * `date` (YYYY-MM-DD, DD/MM/YYYY, 10 Apr 26, YYYYMMDD), `amount` (dollars, negative or in brackets for outgoing money)
 * or `debit` and `credit`, `description`; `reference` and `transaction_id` if the bank gives them. Exports of banks that name no columns are
 * recognised by their cells. A column of balances is compared with the lines; a column showing that a line is not ours
 * causes the file to be refused; others are ignored. Commas may be semicolons or tabs.
 */
export function parseCsvStatement(content: string, mappings: GivenMappings = {}): StatementFile {
  const all = readCsv(content);
  const nameless = namelessColumns(all);
  const names = nameless ?? all[0]?.cells.map(columnName) ?? [];
  const problem = nameless ? undefined : problemOfColumns(all, names);
  const mapped = problem === undefined ? undefined : mappedOrAsk(all, names, mappings, problem);
  const columns = mapped?.columns ?? names;
  const below = nameless || (mapped && !mapped.hasHeading) ? all : all.slice(1);
  const read = mapped?.read ?? ((row: NamedRow) => row);
  const rows = below.map(({ cells, line }): NamedRow => {
    const where = `line ${line}`;
    if (cells.slice(columns.length).some(Boolean))
      throw new StatementProblem(
        `${where} has ${cells.length} values for ${columns.length} columns; put one with a comma, such as "1,234.50", in quotes.`,
      );
    return read({ where, cell: (name) => cells[columns.indexOf(name)]?.trim() ?? '' });
  });
  const meanings = mapped?.meanings ?? meaningsOf(columns);
  refuseShort(below, 'description', mapped ? mapped.lastNeeded : columns.indexOf(meanings.description));
  const balance = meanings.balance === undefined || mapped ? -1 : columns.indexOf(meanings.balance);
  // Files without a heading come with balances and without.
  if (!nameless || below.some(({ cells }) => cells.length > balance)) refuseShort(below, 'balance', balance);
  const account = refuseOthers(columns, rows);
  refusePartlySerial(rows, meanings.date);
  const amounts = amountsOf(rows, meanings, delimiterOf(content));
  const lines = rows.map((row, place) => lineOf(row, meanings, amounts[place] ?? noCents));
  const balanced = balancedRows(lines, rows, meanings.balance);
  const file: StatementFile = {
    ...(mapped && { mapped: mapped.used }),
    bank: bankOf(columns, nameless ? all : undefined),
    ...(account === undefined ? {} : { account, isAccountOfRows: true }),
    ...readRunningBalance(isOfClosing(meanings.balance) ? atEndsOfDays(balanced) : balanced),
    lines: lines.filter(({ cents }) => cents !== 0),
  };
  checkAmounts(file);
  return file;
}

/** Throws for a row that does not reach a column: a file that was cut off may end within an amount. */
function refuseShort(rows: readonly CsvRow[], name: 'description' | 'balance', column: number): void {
  const short = rows.find(({ cells }) => cells.length <= column);
  if (short)
    throw new StatementProblem(
      `line ${short.line} ends before its ${name}. Export the days again, and delete the line if no money moved in it.`,
    );
}

/** Lists the rows with the balances after them, if a column has those. */
function balancedRows(lines: readonly StatementLine[], rows: readonly NamedRow[], column: string | undefined) {
  if (column === undefined) return [];
  return rows.flatMap(({ where, cell }, place): BalancedRow[] => {
    const line = lines[place];
    return line ? [{ where, bookedOn: line.bookedOn, cents: line.cents, balance: balanceOf(cell(column), where) }] : [];
  });
}

/** Throws for days of which a spreadsheet made only some a number: it may have taken their month for the day. */
function refusePartlySerial(rows: readonly NamedRow[], date: string): void {
  if (!isPartlySerial(rows.map(({ cell }) => cell(date)))) return;
  throw new StatementProblem('A spreadsheet made some days of the file numbers. Export the file from the bank again.');
}

function amountsOf(
  rows: readonly NamedRow[],
  { amount, balance = '', description }: BankColumns,
  delimiter: string,
): Cents[] {
  const columns = typeof amount === 'string' ? [amount] : [amount.debit, amount.credit];
  // If commas do not separate cells, they may separate cents: 1.250 is then a thousand.
  for (const { where, cell } of rows)
    for (const written of columns.map(cell))
      if (delimiter === ';' && /^\D*\d{1,3}\.\d{3}$/.test(written))
        throw new StatementProblem(
          `${where}: ${quoted(written)} is not an amount: write 1250.00 or 1.25, whichever it is.`,
        );
  return typeof amount === 'string'
    ? rows.map((row) =>
        isOfClosing(balance) && isBalanceAlone(row, balance, [amount, description])
          ? noCents
          : centsOf(row.cell(amount), row.where),
      )
    : sidesOf(rows, amount);
}

function lineOf({ where, cell }: NamedRow, columns: BankColumns, cents: Cents): StatementLine {
  const id = idOf(columns.id ? cell(columns.id) : '', where);
  const text = [cell(columns.description), columns.reference ? cell(columns.reference) : ''].filter(Boolean).join(' ');
  const further = columns.further
    .map(cell)
    .filter((words) => words && !text.includes(words))
    .join(' ');
  return {
    ...(id ? { id } : {}),
    bookedOn: dayOf(inIsoOrder(cell(columns.date)), where, cell(columns.date)),
    cents,
    text,
    ...(further ? { further } : {}),
  };
}

/** Says that the columns are not named as required, and describes the file's instead; undefined if they are. */
function problemOfColumns(rows: readonly CsvRow[], columns: readonly string[]): string | undefined {
  const missing = missingMeanings(columns);
  const repeated = repeatedColumn(columns);
  if (missing.length === 0 && repeated) return `The first line names the column ${repeated} more than once.`;
  if (missing.length === 0) return undefined;
  return `The first line must name the columns ${missing.join(', ')}. ${remedyFor(rows, columns)}`.trim();
}

/** Meanings of columns that a person gives with the file, or gave before, by the hash of their heading. */
export interface GivenMappings {
  given?: ColumnMapping | undefined;
  kept?: readonly { headingHash: string; mapping: ColumnMapping }[];
}

const headingHashOf = (names: readonly string[], hasHeading: boolean): string =>
  createHash('sha256')
    .update(hasHeading ? names.join('\n') : `${names.length} columns`)
    .digest('hex');

/** Finds the mapping of a file: the one given, else the only one kept for its heading. */
function findMapping({ given, kept = [] }: GivenMappings, headingHash: string): ColumnMapping | undefined {
  if (given) return given;
  const found = kept.filter((each) => each.headingHash === headingHash).map(({ mapping }) => mapping);
  return new Set(found.map((mapping) => JSON.stringify(mapping))).size === 1 ? found[0] : undefined;
}

/** Names the columns by a mapping; throws ColumnQuestion with the beginning of the file if there is none. */
function mappedOrAsk(all: readonly CsvRow[], names: readonly string[], mappings: GivenMappings, problem: string) {
  const below = all.slice(1, rowsLookedAt).some(({ cells }) => missingMeanings(cells.map(columnName)).length === 0);
  const unknown = below ? undefined : unknownColumnsOf(all);
  if (!unknown) throw new StatementProblem(problem);
  const hasHeading = all[0] !== undefined && isHeading(all[0]);
  const headingHash = headingHashOf(names, hasHeading);
  const mapping = findMapping(mappings, headingHash);
  if (!mapping) throw new ColumnQuestion(problem, unknown);
  if (mapping.columns.length !== names.length)
    throw new ColumnQuestion(`The file has ${names.length} columns. Please say what each of them is.`, unknown);
  return {
    ...mapColumns(hasHeading ? names : names.map(() => ''), mapping),
    hasHeading,
    lastNeeded: mapping.columns.findLastIndex((meaning) => meaning === 'day' || meaning === 'words'),
    used: { headingHash, mapping },
  };
}

const rowsLookedAt = 20;

function remedyFor(rows: readonly CsvRow[], columns: readonly string[]): string {
  const below = rows.slice(1, rowsLookedAt).find(({ cells }) => missingMeanings(cells.map(columnName)).length === 0);
  if (below) return `They are named in line ${below.line}: delete the lines before it.`;
  if (columns.some((name) => /^\d{1,4}[-/.]\d/.test(name)))
    return 'The file begins with a movement: put a line before it that names its columns in their order, such as date,amount,description.';
  const sides = columns.filter((name) =>
    /^(?:debit|credit|withdrawal|deposit|money_in|money_out|paid_in|paid_out)/.test(name),
  );
  if (!columns.includes('amount') && sides.length > 0)
    return `It has ${sides.join(' and ')} instead: make one column amount of them, negative where money left.`;
  const names = columns.filter(Boolean).slice(0, 12).map(quoted);
  return names.length === 0 ? '' : `It names ${names.join(', ')}: rename those that are meant.`;
}
