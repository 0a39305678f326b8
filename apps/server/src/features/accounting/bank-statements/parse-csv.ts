import { inIsoOrder } from '@sparechange/domain';
import { type CsvRow, delimiterOf, readCsv } from '#csv.ts';
import { quoted } from '#errors.ts';
import { folded } from './line-identity.ts';
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

const required = ['date', 'amount', 'description'];
const known = [...required, 'reference', 'transaction_id', 'balance'];

const balanceColumns = ['balance', 'running_balance', 'balance_after', 'account_balance'];

const columnName = (name: string): string => folded(name).toLowerCase().replace(/[ -]/g, '_');

/**
 * Reads a statement as comma-separated values. The first line names the columns: `date` (YYYY-MM-DD, DD/MM/YYYY or
 * DD-MM-YYYY), `amount` (dollars, negative for outgoing money), `description`; `reference` and `transaction_id` if the
 * bank gives them. A column of balances is compared with the lines; a column showing that a line is not ours causes the
 * file to be refused; others are ignored. Commas may be semicolons or tabs.
 */
export function parseCsvStatement(content: string): StatementFile {
  const all = readCsv(content);
  const delimiter = delimiterOf(content);
  const [head, ...rows] = all;
  const columns = head?.cells.map(columnName) ?? [];
  refuseColumns(all, columns);
  const read = rows.map(({ cells, line }): NamedRow => {
    const where = `line ${line}`;
    if (cells.slice(columns.length).some(Boolean))
      throw new StatementProblem(
        `${where} has ${cells.length} values for ${columns.length} columns; put one with a comma, such as "1,234.50", in quotes.`,
      );
    return { where, cell: (name) => cells[columns.indexOf(name)]?.trim() ?? '' };
  });
  const account = refuseOthers(columns, read);
  const lines = read.map((row) => lineOf(row, delimiter));
  const file: StatementFile = {
    ...(account === undefined ? {} : { account, isAccountOfRows: true }),
    ...readRunningBalance(balancedRows(lines, read, columns)),
    lines: lines.filter(({ cents }) => cents !== 0),
  };
  checkAmounts(file);
  return file;
}

/** Lists the rows with the balances after them, if a column has those. */
function balancedRows(lines: readonly StatementLine[], rows: readonly NamedRow[], columns: readonly string[]) {
  const column = columns.find((name) => balanceColumns.includes(name));
  if (column === undefined) return [];
  return rows.flatMap(({ where, cell }, place): BalancedRow[] => {
    const line = lines[place];
    return line ? [{ where, bookedOn: line.bookedOn, cents: line.cents, balance: balanceOf(cell(column), where) }] : [];
  });
}

function lineOf({ where, cell }: NamedRow, delimiter: string): StatementLine {
  const id = idOf(cell('transaction_id'), where);
  const amount = cell('amount');
  // If commas do not separate cells, they may separate cents: 1.250 is then a thousand.
  if (delimiter === ';' && /^\D*\d{1,3}\.\d{3}$/.test(amount))
    throw new StatementProblem(`${where}: ${quoted(amount)} is not an amount: write 1250.00 or 1.25, whichever it is.`);
  return {
    ...(id ? { id } : {}),
    bookedOn: dayOf(inIsoOrder(cell('date')), where, cell('date')),
    cents: centsOf(amount, where),
    text: [cell('description'), cell('reference')].filter(Boolean).join(' '),
  };
}

/** Throws if the columns are not named as required; describes the file's columns instead. */
function refuseColumns(rows: readonly CsvRow[], columns: readonly string[]): void {
  const missing = required.filter((name) => !columns.includes(name));
  const repeated = known.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (missing.length === 0 && repeated)
    throw new StatementProblem(`The first line names the column ${repeated} more than once.`);
  if (missing.length === 0) return;
  const words = `The first line must name the columns ${missing.join(', ')}.`;
  throw new StatementProblem(`${words} ${remedyFor(rows, columns)}`.trim());
}

const rowsLookedAt = 20;

function remedyFor(rows: readonly CsvRow[], columns: readonly string[]): string {
  const below = rows
    .slice(1, rowsLookedAt)
    .find(({ cells }) => required.every((name) => cells.map(columnName).includes(name)));
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
